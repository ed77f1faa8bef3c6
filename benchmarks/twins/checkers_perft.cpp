// Perft of English checkers: what a careful C++ programmer would write by hand.
//
//   checkers_perft DEPTH [FEN]    prints "<nodes> <CPU seconds of the count>"
//
// Every capture route is a move of its own, jumps are mandatory, a man that reaches the king row
// stops there, and a king may pass over or land on the square it started from. The last ply is
// counted from its move list: the list is generated in full, its moves are not played.
//
// Square s (1..32) is bit (s-1) + (s-1)/8. The gap after every second row makes a diagonal step
// the same shift on every row, and since a gap is never an empty square, no step wraps around.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

using Bits = std::uint64_t;

enum class Side { black, white };

constexpr Bits bit_of(int square) { return Bits{1} << (square - 1 + (square - 1) / 8); }

constexpr Bits span(int first, int last) {
    Bits bits = 0;
    for (int square = first; square <= last; ++square) bits |= bit_of(square);
    return bits;
}

constexpr Bits board = span(1, 32);
constexpr std::size_t max_moves = 1024;  // at most 12 pieces a side, checked when a FEN is read

template <Side side>
constexpr Bits king_row = side == Side::black ? span(29, 32) : span(1, 4);

template <Side side>
constexpr Side other = side == Side::black ? Side::white : Side::black;

struct Position {
    Bits black, white, kings;
};

// The origin and the destination differ in `changed`, unless the route was a circle.
struct Move {
    Bits changed, captured;
};

template <int shift>
constexpr Bits step(Bits bits) {
    if constexpr (shift > 0) {
        return bits << shift;
    } else {
        return bits >> -shift;
    }
}

template <Side side>
constexpr int forward_a = side == Side::black ? 4 : -4;
template <Side side>
constexpr int forward_b = side == Side::black ? 5 : -5;

template <Side side>
class Generator {
  public:
    Generator(const Position& position, Move* out)
        : own_(side == Side::black ? position.black : position.white),
          enemy_(side == Side::black ? position.white : position.black),
          empty_(board & ~(position.black | position.white)),
          kings_(own_ & position.kings),
          out_(out) {}

    Move* run() {
        const Bits jumpers = can_jump<a>(own_) | can_jump<b>(own_) | can_jump<-a>(kings_) |
                             can_jump<-b>(kings_);
        if (jumpers != 0) {
            for (Bits men = jumpers & ~kings_; men != 0; men &= men - 1) start_jump<false>(men);
            for (Bits kings = jumpers & kings_; kings != 0; kings &= kings - 1) {
                start_jump<true>(kings);
            }
        } else {
            steps<a>(own_);
            steps<b>(own_);
            steps<-a>(kings_);
            steps<-b>(kings_);
        }
        return out_;
    }

  private:
    static constexpr int a = forward_a<side>;
    static constexpr int b = forward_b<side>;

    template <int shift>
    Bits can_jump(Bits pieces) const {
        return pieces & step<-shift>(enemy_ & step<-shift>(empty_));
    }

    template <int shift>
    void steps(Bits pieces) {
        for (Bits to = step<shift>(pieces) & empty_; to != 0; to &= to - 1) {
            const Bits target = to & -to;
            *out_++ = {target | step<-shift>(target), 0};
        }
    }

    template <bool king>
    void start_jump(Bits pieces) {
        const Bits from = pieces & -pieces;
        empty_ |= from;  // a king's circular route may end on its own square
        extend<king>(from, from, 0);
        empty_ ^= from;
    }

    // Adds every complete route that continues from `at`; false when there is none.
    template <bool king>
    bool extend(Bits from, Bits at, Bits captured) {
        bool extended = leap<king, a>(from, at, captured);
        extended |= leap<king, b>(from, at, captured);
        if constexpr (king) {
            extended |= leap<king, -a>(from, at, captured);
            extended |= leap<king, -b>(from, at, captured);
        }
        return extended;
    }

    template <bool king, int shift>
    bool leap(Bits from, Bits at, Bits captured) {
        const Bits over = step<shift>(at) & enemy_ & ~captured;
        const Bits to = step<shift>(over) & empty_;
        if (to == 0) return false;
        captured |= over;
        const bool crowned = !king && (to & king_row<side>) != 0;
        if (crowned || !extend<king>(from, to, captured)) *out_++ = {from ^ to, captured};
        return true;
    }

    Bits own_, enemy_, empty_, kings_;
    Move* out_;
};

template <Side side>
Position play(const Position& position, const Move& move) {
    Position next = position;
    (side == Side::black ? next.black : next.white) ^= move.changed;
    (side == Side::black ? next.white : next.black) &= ~move.captured;
    const bool king = (position.kings & move.changed) != 0;
    next.kings ^= king ? move.changed : move.changed & king_row<side>;
    next.kings &= ~move.captured;
    return next;
}

// `moves` is the free end of one list shared by all plies, so that it stays in the first cache.
template <Side side>
std::uint64_t perft(const Position& position, int depth, Move* moves) {
    Move* const end = Generator<side>(position, moves).run();
    if (depth == 1) return static_cast<std::uint64_t>(end - moves);
    std::uint64_t nodes = 0;
    for (const Move* move = moves; move != end; ++move) {
        nodes += perft<other<side>>(play<side>(position, *move), depth - 1, end);
    }
    return nodes;
}

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "checkers_perft: %s\n", message.c_str());
    std::exit(2);
}

// Reads "B:W18,24,K10:B12,K22": the side to move, then the pieces of each side.
Position parse(const std::string& fen, Side& turn) {
    if (fen.empty() || (fen[0] != 'B' && fen[0] != 'W')) fail("a FEN starts with B or W: " + fen);
    turn = fen[0] == 'B' ? Side::black : Side::white;
    Position position{0, 0, 0};
    Bits* pieces = nullptr;
    bool king = false;
    for (std::size_t i = 1; i < fen.size(); ++i) {
        const char c = fen[i];
        if (c == 'B') {
            pieces = &position.black;
        } else if (c == 'W') {
            pieces = &position.white;
        } else if (c == 'K') {
            king = true;
        } else if (c >= '0' && c <= '9' && pieces != nullptr) {
            int square = c - '0';
            while (i + 1 < fen.size() && fen[i + 1] >= '0' && fen[i + 1] <= '9' && square <= 32) {
                square = 10 * square + (fen[++i] - '0');
            }
            if (square < 1 || square > 32) fail("a square is 1 to 32: " + fen);
            *pieces |= bit_of(square);
            if (king) position.kings |= bit_of(square);
            king = false;
        } else if (c != ':' && c != ',') {
            fail("cannot read this FEN: " + fen);
        }
    }
    if (__builtin_popcountll(position.black) > 12 || __builtin_popcountll(position.white) > 12) {
        fail("a side has at most 12 pieces: " + fen);
    }
    if ((position.black & position.white) != 0) fail("a square holds two pieces: " + fen);
    return position;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) fail("usage: checkers_perft DEPTH [FEN]");
    const int depth = std::atoi(argv[1]);
    if (depth < 1 || depth > 99) fail("the depth is 1 to 99");

    Side turn = Side::black;
    Position position{span(1, 12), span(21, 32), 0};
    if (argc == 3) position = parse(argv[2], turn);

    std::vector<Move> moves(max_moves * static_cast<std::size_t>(depth));
    const std::clock_t start = std::clock();
    const std::uint64_t nodes = turn == Side::black
                                    ? perft<Side::black>(position, depth, moves.data())
                                    : perft<Side::white>(position, depth, moves.data());
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%llu %.6f\n", static_cast<unsigned long long>(nodes), seconds);
}
