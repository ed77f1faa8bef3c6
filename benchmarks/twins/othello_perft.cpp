// Perft of Othello: what a careful C++ programmer would write by hand.
//
//   othello_perft DEPTH [BOARD]    prints "<nodes> <CPU seconds of the count>"
//
// BOARD is 64 cells from a1 to h8, X, O or -, then the side to move: "---...--- X". A pass is a
// ply, and a game that has ended counts as one leaf at every later depth. The last ply is counted
// from its move list: the list is generated in full, its moves are not played.
//
// Cell (column, row) is bit 8 * row + column; Black and White differ only by whose turn it is,
// so one function serves both.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

namespace {

using Bits = std::uint64_t;
using Move = std::uint8_t;  // the index of a cell, or `pass`

constexpr Move pass = 64;
constexpr std::size_t max_moves = 64;
constexpr Bits inner_columns = 0x7E7E7E7E7E7E7E7E;

struct Position {
    Bits mine, theirs;
};

// The empty ends of runs of `through` that begin next to `mine`, both ways along a line. A run has
// six cells at most: two single steps, then two double ones.
template <int step>
Bits ends(Bits mine, Bits through) {
    Bits up = through & (mine << step);
    Bits down = through & (mine >> step);
    up |= through & (up << step);
    down |= through & (down >> step);
    const Bits pairs_up = through & (through << step);
    const Bits pairs_down = pairs_up >> step;
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    return up << step | down >> step;
}

Bits placements(Bits mine, Bits theirs) {
    const Bits inner = theirs & inner_columns;  // no run goes round the edge
    return ~(mine | theirs) &
           (ends<1>(mine, inner) | ends<7>(mine, inner) | ends<8>(mine, theirs) |
            ends<9>(mine, inner));
}

// The cells that can be seen from a cell, towards high bits and towards low ones.
struct Lines {
    std::array<Bits, 4> up, down;
};

constexpr Bits line(int cell, int right, int below) {
    Bits bits = 0;
    int column = cell % 8 + right;
    int row = cell / 8 + below;
    while (column >= 0 && column < 8 && row >= 0 && row < 8) {
        bits |= Bits{1} << (8 * row + column);
        column += right;
        row += below;
    }
    return bits;
}

constexpr std::array<Lines, 64> all_lines() {
    std::array<Lines, 64> lines{};
    for (int cell = 0; cell < 64; ++cell) {
        const int c = cell;
        lines[c].up = {line(c, 1, 0), line(c, -1, 1), line(c, 0, 1), line(c, 1, 1)};
        lines[c].down = {line(c, -1, 0), line(c, 1, -1), line(c, 0, -1), line(c, -1, -1)};
    }
    return lines;
}

constexpr std::array<Lines, 64> lines_from = all_lines();

// The discs that a new one turns over. Upwards, a carry runs through their discs to the first
// other cell of the line; downwards, that cell is the highest bit.
Bits discs_to_flip(Bits mine, Bits theirs, Move cell) {
    Bits discs = 0;
    for (const Bits line : lines_from[cell].up) {
        const Bits end = ((theirs | ~line) + 1) & line & mine;
        discs |= (end - (end != 0)) & line;
    }
    for (const Bits line : lines_from[cell].down) {
        const Bits others = (line & ~theirs) | 1;  // never 0: clz(0) is undefined
        const Bits end = (Bits{1} << 63 >> __builtin_clzll(others)) & line & mine;
        discs |= (-end << 1) & line;
    }
    return discs;
}

Move* generate(const Position& position, Move* out) {
    Bits targets = placements(position.mine, position.theirs);
    if (targets == 0 && placements(position.theirs, position.mine) != 0) *out++ = pass;
    for (; targets != 0; targets &= targets - 1) {
        *out++ = static_cast<Move>(__builtin_ctzll(targets));
    }
    return out;
}

Position play(const Position& position, Move move) {
    if (move == pass) return {position.theirs, position.mine};
    const Bits discs = discs_to_flip(position.mine, position.theirs, move);
    return {position.theirs ^ discs, position.mine | discs | Bits{1} << move};
}

// `moves` is the free part of one list shared by all plies, which stays in the L1 cache.
std::uint64_t perft(const Position& position, int depth, Move* moves) {
    Move* const end = generate(position, moves);
    if (end == moves) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(end - moves);
    std::uint64_t nodes = 0;
    for (const Move* move = moves; move != end; ++move) {
        nodes += perft(play(position, *move), depth - 1, end);
    }
    return nodes;
}

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "othello_perft: %s\n", message.c_str());
    std::exit(2);
}

Position parse(const std::string& board) {
    if (board.size() != 66 || board[64] != ' ' || (board[65] != 'X' && board[65] != 'O')) {
        fail("a board is 64 cells, a space and the side to move, X or O: " + board);
    }
    Position position{0, 0};
    for (int cell = 0; cell < 64; ++cell) {
        if (board[cell] != 'X' && board[cell] != 'O' && board[cell] != '-') {
            fail("a cell is X, O or -: " + board);
        }
        if (board[cell] == '-') continue;
        (board[cell] == board[65] ? position.mine : position.theirs) |= Bits{1} << cell;
    }
    return position;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) fail("usage: othello_perft DEPTH [BOARD]");
    const int depth = std::atoi(argv[1]);
    if (depth < 1 || depth > 99) fail("the depth is 1 to 99");
    const Position position =
        parse(argc == 3 ? argv[2]
                        : "---------------------------OX------XO--------------------------- X");

    std::vector<Move> moves(max_moves * static_cast<std::size_t>(depth));
    const std::clock_t start = std::clock();
    const std::uint64_t nodes = perft(position, depth, moves.data());
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%llu %.6f\n", static_cast<unsigned long long>(nodes), seconds);
}
