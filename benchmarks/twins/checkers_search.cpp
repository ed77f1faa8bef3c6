// Alpha-beta over English checkers with a transposition table and the history heuristic.
//
//   checkers_search DEPTH ENTRIES [FEN...]
//
// For every position it searches depth 1, then 2, up to DEPTH, from an empty table and history, and
// prints a line per depth, "<leaves> <interior nodes> <value>"; last "<CPU seconds in all>".
//
// It is the search of Plyforge with the switches table, table-move, history, horizon-moves and
// deepening, `replace` newer and no penalty: the same nodes in the same order. Like Plyforge it
// checks at the horizon whether there is a move, keeps the principal variation, knows whether a
// value rests on a leaf at the horizon, and can be stopped by a flag and by a number of nodes. Build
// with -ffp-contract=off: evaluations must have the same bits.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <ctime>
#include <limits>
#include <vector>

#include "checkers.hpp"

namespace {

using namespace checkers;

constexpr int count(Bits bits) { return __builtin_popcountll(bits); }

// Captured pieces in bits 0-35, the bit of the origin from 36 on, that of the destination from 42.
struct Move {
    Move() = default;
    Move(Bits from, Bits to, Bits captured)
        : word(captured | static_cast<Bits>(__builtin_ctzll(from)) << 36 |
               static_cast<Bits>(__builtin_ctzll(to)) << 42) {}

    Bits from() const { return Bits{1} << (word >> 36 & 63); }
    Bits to() const { return Bits{1} << (word >> 42 & 63); }
    Bits captured() const { return word & ((Bits{1} << 36) - 1); }
    std::size_t slot() const { return word >> 36 & 4095; }

    Bits word;
};

// The evaluation

constexpr Bits row(int number) { return span(4 * number + 1, 4 * number + 4); }

constexpr Bits low_row = row(0), high_row = row(7);
constexpr Bits row_ones = row(1) | row(3) | row(5) | row(7);
constexpr Bits row_no_ones = board & ~row_ones;
constexpr Bits row_twos = row(2) | row(3) | row(6) | row(7);
constexpr Bits row_fours = row(4) | row(5) | row(6) | row(7);
constexpr Bits centre = bit_of(10) | bit_of(11) | bit_of(14) | bit_of(15) | bit_of(18) |
                        bit_of(19) | bit_of(22) | bit_of(23);
constexpr Bits running_low = row(1) | row(2) | row(3), running_high = row(4) | row(5) | row(6);
constexpr Bits low_hole = bit_of(5), high_hole = bit_of(28);

int rows_passed(Bits men) {
    return count(men & row_ones) + 2 * count(men & row_twos) + 4 * count(men & row_fours);
}

int steps_open(Bits up, Bits down, Bits empty) {
    return count(up << 4 & empty) + count(up << 5 & empty) + count(down >> 4 & empty) +
           count(down >> 5 & empty);
}

int jumpable(Bits up, Bits down, Bits others, Bits empty) {
    const Bits rising = (up << 4 & empty >> 4) | (up << 5 & empty >> 5);
    const Bits falling = (down >> 4 & empty << 4) | (down >> 5 & empty << 5);
    return count(others & (rising | falling));
}

template <Side side>
double evaluate(const Position& p) {
    const auto balance = [](int black, int white) {
        return side == Side::black ? black - white : white - black;
    };
    const Bits plain = ~p.kings, empty = board & ~(p.black | p.white);
    const Bits black_men = p.black & plain, white_men = p.white & plain;
    const Bits black_kings = p.black & p.kings, white_kings = p.white & p.kings;
    const int black = count(p.black), white = count(p.white);

    const double majority =
        static_cast<double>(balance(black, white)) / std::max(black + white, 1);
    const int climbed = 7 * count(white_men) - rows_passed(white_men);
    const int prey_of_black = jumpable(p.black, black_kings, p.white, empty);
    const int prey_of_white = jumpable(white_kings, p.white, p.black, empty);

    Bits low_shadow = p.white, high_shadow = p.black;
    for (int i = 0; i < 3; ++i) {
        low_shadow |= (low_shadow >> 4 | low_shadow >> 5) & board;
        high_shadow |= (high_shadow << 4 | high_shadow << 5) & board;
    }
    const Bits mine = side == Side::black ? row_no_ones : row_ones;
    const int the_move = black == white ? 2 * (count((p.black | p.white) & mine) & 1) - 1 : 0;

    return 4.07 * balance(count(black_men), count(white_men)) +
           5.61 * balance(count(black_kings), count(white_kings)) + 7.3 * majority +
           -0.047 * balance(rows_passed(black_men), climbed) +
           0.37 * balance(count(black_men & low_row), count(white_men & high_row)) +
           0.13 * balance(count(black_men & centre), count(white_men & centre)) +
           0.29 * balance(count(black_kings & centre), count(white_kings & centre)) +
           0.113 * balance(steps_open(p.black, black_kings, empty),
                           steps_open(white_kings, p.white, empty)) +
           1.9 * (side == Side::black ? prey_of_black : prey_of_white) +
           -0.71 * (side == Side::black ? prey_of_white : prey_of_black) +
           0.71 * balance(count(black_men & running_high & ~low_shadow),
                          count(white_men & running_low & ~high_shadow)) +
           -0.83 * balance(count(black_men & high_hole & white_men >> 4),
                           count(white_men & low_hole & black_men << 4)) +
           0.13 * the_move;
}

// Values: float32 numbers kept in doubles; wins and losses lie beyond the limit.

constexpr double limit = 1 << 23, win = 10'000'000;
constexpr double infinity = std::numeric_limits<double>::infinity();

double round_to_float(double value) { return static_cast<double>(static_cast<float>(value)) + 0.0; }
bool is_decided(double value) { return value > limit || value < -limit; }

double from_root(double value, int ply) {
    return value > limit ? value - ply : value < -limit ? value + ply : value;
}

double from_node(double value, int ply) {
    return value > limit ? value + ply : value < -limit ? value - ply : value;
}

// The transposition table: key XOR data, then data. From the lowest bit up these are the value
// (32), the depth (12, in sixteenths of a ply), the bound (2), solid (1), the move's number plus
// one (12).

constexpr unsigned lower = 1, upper = 2, exact = 3;

Bits mix(Bits state, Bits word) {
    Bits z = (state ^ word) + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

template <Side side>
Bits key_of(const Position& p) {
    return mix(mix(mix(mix(0, p.black), p.white), p.kings), side == Side::black ? 0 : 1);
}

struct Entry {
    Bits check = 0, data = 0;

    double value(int ply) const {
        const auto bits = static_cast<std::uint32_t>(data);
        float value;
        std::memcpy(&value, &bits, sizeof value);
        return from_root(value, ply);
    }
    int depth() const { return data >> 32 & 0xFFF; }
    unsigned bound() const { return data >> 44 & 3; }
    bool solid() const { return data >> 46 & 1; }
    int move() const { return static_cast<int>(data >> 47 & 0xFFF) - 1; }
};

class Table {
  public:
    explicit Table(std::size_t size) : entries_(size) {}

    // A copy: the place may be overwritten while the node is searched.
    Entry probe(Bits key) const {
        const Entry entry = place(key);
        return (entry.check ^ entry.data) == key ? entry : Entry{};
    }

    void store(Bits key, int ply, int depth, double value, unsigned bound, bool solid, int move) {
        Entry& entry = place(key);
        if (move < 0 && (entry.check ^ entry.data) == key) move = entry.move();
        const auto kept = static_cast<float>(from_node(value, ply));
        std::uint32_t bits;
        std::memcpy(&bits, &kept, sizeof bits);
        const Bits data = bits | static_cast<Bits>(depth) << 32 | static_cast<Bits>(bound) << 44 |
                          static_cast<Bits>(solid) << 46 | static_cast<Bits>(move + 1) << 47;
        entry = {key ^ data, data};
    }

    void clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

  private:
    std::size_t index(Bits key) const {
        return (key * 0x9E3779B97F4A7C15 >> 32) * entries_.size() >> 32;
    }
    const Entry& place(Bits key) const { return entries_[index(key)]; }
    Entry& place(Bits key) { return entries_[index(key)]; }

    std::vector<Entry> entries_;
};

// The search

constexpr int one_ply = 16, max_plies = 64;
constexpr std::int64_t max_history = std::int64_t{1} << 40, table_bonus = std::int64_t{1} << 50;

struct Ranked {
    Move move;
    int number;  // in the order of generation
    std::int64_t score;
};

class Search {
  public:
    explicit Search(std::size_t entries)
        : table_(entries), history_(2 * 4096), moves_(max_moves * (max_plies + 1)),
          ranked_(max_moves * (max_plies + 1)) {}

    template <Side side>
    double run(const Position& position, int depth) {
        bool solid = true;
        return search<side>(position, 0, depth * one_ply, -infinity, infinity, solid,
                            moves_.data(), ranked_.data());
    }

    void clear() {
        table_.clear();
        std::fill(history_.begin(), history_.end(), 0);
    }

    std::int64_t leaves = 0, interior = 0;

  private:
    // Fail-soft: at most alpha it is an upper bound, at least beta a lower one. `solid` is
    // whether the value rests on no leaf at the horizon.
    template <Side side>
    double search(const Position& position, int ply, int depth, double alpha, double beta,
                  bool& solid, Move* moves, Ranked* ranked) {
        solid = true;
        line_length_[ply] = 0;
        if (stop_.load(std::memory_order_relaxed)) return 0;
        if (depth <= 0) return leaf<side>(position, ply, solid);

        const Bits key = key_of<side>(position);
        double low = alpha, high = beta;
        bool table_solid = true;
        int hint = -1;
        const Entry entry = table_.probe(key);
        if (entry.data != 0) {
            hint = entry.move();
            if (ply > 0 && (entry.depth() == depth || (entry.depth() < depth && entry.solid()))) {
                const double value = entry.value(ply);
                if ((entry.bound() & lower) != 0 && value > low) {
                    low = value;
                    table_solid = entry.solid();
                }
                if ((entry.bound() & upper) != 0 && value < high) {
                    high = value;
                    table_solid = entry.solid();
                }
                if (low >= high || entry.bound() == exact) {
                    solid = entry.solid();
                    return value;
                }
            }
        }

        Move* const end = Generator<side, Move>(position, moves).run();
        const int size = static_cast<int>(end - moves);
        if (size == 0) return stuck(ply);
        count_node(interior);

        std::int64_t* const history = &history_[side == Side::black ? 0 : 4096];
        for (int i = 0; i < size; ++i) {
            const std::int64_t bonus = i == hint ? table_bonus : 0;
            ranked[i] = {moves[i], i, history[moves[i].slot()] + bonus};
        }

        double best = -infinity;
        int best_number = -1;
        for (int rank = 0; rank < size; ++rank) {
            const Ranked next = take_best(ranked, rank, size);
            const Move move = next.move;
            const Position child =
                play<side>(position, move.from() ^ move.to(), move.captured());
            bool child_solid;
            const double value =
                0.0 - search<other<side>>(child, ply + 1, depth - one_ply, 0.0 - high, 0.0 - low,
                                          child_solid, end, ranked + size);
            if (stop_.load(std::memory_order_relaxed)) return value;
            solid &= child_solid;
            if (value <= best) continue;
            best = value;
            best_number = next.number;
            if (value >= high) {
                solid = child_solid;
                line_length_[ply] = 0;
                const int plies = depth / one_ply;
                std::int64_t& worth = history[move.slot()];
                worth = std::min(max_history, worth + plies * plies);
                break;
            }
            if (value > low) {
                low = value;
                extend_line(ply, move);
            }
        }

        solid &= table_solid;
        if (is_decided(best)) solid = true;
        unsigned bound = exact;
        if (best <= alpha) {
            bound = upper;
            if (ply > 0) best_number = -1;
        } else if (best >= beta) {
            bound = lower;
        }
        table_.store(key, ply, depth, best, bound, solid, best_number);
        return best;
    }

    template <Side side>
    double leaf(const Position& position, int ply, bool& solid) {
        if (!Generator<side, Move>(position, nullptr).any()) return stuck(ply);
        count_node(leaves);
        solid = false;
        return round_to_float(evaluate<side>(position));
    }

    double stuck(int ply) {
        count_node(leaves);
        return from_root(-win, ply);
    }

    void count_node(std::int64_t& kind) {
        ++kind;
        if (--budget_ <= 0) stop_.store(true, std::memory_order_relaxed);
    }

    // Brings the best of the rest to its rank; equals stay in the order of generation.
    static Ranked take_best(Ranked* ranked, int rank, int size) {
        int best = rank;
        for (int i = rank + 1; i < size; ++i) {
            if (ranked[i].score > ranked[best].score) best = i;
        }
        const Ranked taken = ranked[best];
        for (; best > rank; --best) ranked[best] = ranked[best - 1];
        ranked[rank] = taken;
        return taken;
    }

    void extend_line(int ply, Move move) {
        lines_[ply][0] = move;
        std::copy_n(lines_[ply + 1], line_length_[ply + 1], lines_[ply] + 1);
        line_length_[ply] = line_length_[ply + 1] + 1;
    }

    Table table_;
    std::vector<std::int64_t> history_;
    std::vector<Move> moves_;
    std::vector<Ranked> ranked_;
    Move lines_[max_plies + 2][max_plies + 2];
    int line_length_[max_plies + 2] = {};
    std::int64_t budget_ = std::int64_t{1} << 62;
    std::atomic<bool> stop_{false};
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) fail("usage: checkers_search DEPTH ENTRIES [FEN...]");
    const int depth = std::atoi(argv[1]);
    const long long entries = std::atoll(argv[2]);
    if (depth < 1 || depth > max_plies) fail("the depth is 1 to 64");
    if (entries < 1) fail("the table has at least one entry");

    Search search(static_cast<std::size_t>(entries));
    double seconds = 0;
    for (int i = 3; i < std::max(argc, 4); ++i) {
        Side turn = Side::black;
        const Position position = i < argc ? parse(argv[i], turn) : start_position;
        search.clear();
        for (int plies = 1; plies <= depth; ++plies) {
            search.leaves = search.interior = 0;
            const std::clock_t start = std::clock();
            const double value = turn == Side::black ? search.run<Side::black>(position, plies)
                                                     : search.run<Side::white>(position, plies);
            seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            std::printf("%lld %lld %.9g\n", static_cast<long long>(search.leaves),
                        static_cast<long long>(search.interior), value);
        }
    }
    std::printf("%.6f\n", seconds);
}
