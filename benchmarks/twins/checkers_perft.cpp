// Perft of English checkers.
//
//   checkers_perft DEPTH [FEN]    prints "<nodes> <CPU seconds of the count>"
//
// The last ply is counted from its move list: the list is generated in full, its moves are not
// played.

#include <ctime>
#include <vector>

#include "checkers.hpp"

namespace {

using namespace checkers;

struct Move {
    Move() = default;
    Move(Bits from, Bits to, Bits taken) : changed(from ^ to), captured(taken) {}

    Bits changed, captured;
};

// `moves` is the free part of one list shared by all plies, which stays in the L1 cache.
template <Side side>
std::uint64_t perft(const Position& position, int depth, Move* moves) {
    Move* const end = Generator<side, Move>(position, moves).run();
    if (depth == 1) return static_cast<std::uint64_t>(end - moves);
    std::uint64_t nodes = 0;
    for (const Move* move = moves; move != end; ++move) {
        const Position child = play<side>(position, move->changed, move->captured);
        nodes += perft<other<side>>(child, depth - 1, end);
    }
    return nodes;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) fail("usage: checkers_perft DEPTH [FEN]");
    const int depth = std::atoi(argv[1]);
    if (depth < 1 || depth > 99) fail("the depth is 1 to 99");

    Side turn = Side::black;
    Position position = start_position;
    if (argc == 3) position = parse(argv[2], turn);

    std::vector<Move> moves(max_moves * static_cast<std::size_t>(depth));
    const std::clock_t start = std::clock();
    const std::uint64_t nodes = turn == Side::black
                                    ? perft<Side::black>(position, depth, moves.data())
                                    : perft<Side::white>(position, depth, moves.data());
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%llu %.6f\n", static_cast<unsigned long long>(nodes), seconds);
}
