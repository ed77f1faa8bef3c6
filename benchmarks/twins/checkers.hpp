// English checkers: what a careful C++ programmer would write by hand.
//
// Every capture route is a move of its own, jumps are mandatory, a man that reaches the king row
// stops there, and a king may pass over or land on the square it started from. Moves come in the
// order in which Plyforge's rules list them.
//
// Square s (1..32) is bit (s-1) + (s-1)/8. The gap after every second row makes a diagonal step
// the same shift on every row, and since a gap is never an empty square, no step wraps around.

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace checkers {

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

constexpr Position start_position{span(1, 12), span(21, 32), 0};

template <int shift>
constexpr Bits step(Bits bits) {
    if constexpr (shift > 0) {
        return bits << shift;
    } else {
        return bits >> -shift;
    }
}

// A `Move` is made from its origin, its destination and the captured pieces; each program defines
// its own.
template <Side side, class Move>
class Generator {
  public:
    Generator(const Position& position, Move* out)
        : own_(side == Side::black ? position.black : position.white),
          enemy_(side == Side::black ? position.white : position.black),
          empty_(board & ~(position.black | position.white)),
          kings_(own_ & position.kings),
          out_(out) {}

    Move* run() {
        Bits jumpers = can_jump<4>(up()) | can_jump<5>(up()) | can_jump<-4>(down()) |
                       can_jump<-5>(down());
        if (jumpers != 0) {
            for (; jumpers != 0; jumpers &= jumpers - 1) {
                const Bits from = jumpers & -jumpers;
                if ((from & kings_) != 0) {
                    start_jump<true>(from);
                } else {
                    start_jump<false>(from);
                }
            }
        } else {
            steps<4>(up());
            steps<5>(up());
            steps<-4>(down());
            steps<-5>(down());
        }
        return out_;
    }

    // Whether there is a move at all, without listing any.
    bool any() const {
        const Bits steps = (up() << 4 | up() << 5 | down() >> 4 | down() >> 5) & empty_;
        return (steps | can_jump<4>(up()) | can_jump<5>(up()) | can_jump<-4>(down()) |
                can_jump<-5>(down())) != 0;
    }

  private:
    // The pieces that move to higher and to lower squares.
    Bits up() const { return side == Side::black ? own_ : kings_; }
    Bits down() const { return side == Side::black ? kings_ : own_; }

    template <int shift>
    Bits can_jump(Bits pieces) const {
        return pieces & step<-shift>(enemy_ & step<-shift>(empty_));
    }

    template <int shift>
    void steps(Bits pieces) {
        for (Bits to = step<shift>(pieces) & empty_; to != 0; to &= to - 1) {
            const Bits target = to & -to;
            *out_++ = Move(step<-shift>(target), target, 0);
        }
    }

    template <bool king>
    void start_jump(Bits from) {
        empty_ |= from;  // a king's circular route may end on its own square
        extend<king>(from, from, 0);
        empty_ ^= from;
    }

    // Adds every complete route that continues from `at`; false when there is none.
    template <bool king>
    bool extend(Bits from, Bits at, Bits captured) {
        bool extended = false;
        if constexpr (king || side == Side::black) {
            extended |= leap<king, 4>(from, at, captured);
            extended |= leap<king, 5>(from, at, captured);
        }
        if constexpr (king || side == Side::white) {
            extended |= leap<king, -5>(from, at, captured);
            extended |= leap<king, -4>(from, at, captured);
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
        if (crowned || !extend<king>(from, to, captured)) *out_++ = Move(from, to, captured);
        return true;
    }

    Bits own_, enemy_, empty_, kings_;
    Move* out_;
};

// `changed` holds the origin and the destination, or nothing if the route was a circle.
template <Side side>
Position play(const Position& position, Bits changed, Bits captured) {
    Position next = position;
    (side == Side::black ? next.black : next.white) ^= changed;
    (side == Side::black ? next.white : next.black) &= ~captured;
    const bool king = (position.kings & changed) != 0;
    next.kings ^= king ? changed : changed & king_row<side>;
    next.kings &= ~captured;
    return next;
}

[[noreturn]] inline void fail(const std::string& message) {
    std::fprintf(stderr, "checkers: %s\n", message.c_str());
    std::exit(2);
}

// Reads "B:W18,24,K10:B12,K22": the side to move, then the pieces of each side.
inline Position parse(const std::string& fen, Side& turn) {
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

}  // namespace checkers
