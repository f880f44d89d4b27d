/* The learner of Arvidsson & Wallgren 2010 against Random on 2 x 2 boxes: plain scalar C.

   It says how fast the same algorithm is when it is written for this one game by hand.
   benchmarks/dots.py compiles and calls it. */

#include <stdint.h>
#include <string.h>

enum { LINES = 12, FULL = (1 << LINES) - 1 };

/* The sides of the boxes beside each line (0: there is no second one). */
static const int beside[LINES][2] = {
    {0x02D, 0},     {0x05A, 0},     {0x02D, 0},     {0x02D, 0x05A}, {0x05A, 0},     {0x02D, 0x5A0},
    {0x05A, 0xB40}, {0x5A0, 0},     {0x5A0, 0xB40}, {0xB40, 0},     {0x5A0, 0},     {0xB40, 0},
};

static double q[FULL + 1][LINES];

static uint64_t random_state;

static double random_number(void) { /* splitmix64: 0 <= it < 1 */
    uint64_t z = (random_state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double largest(int lines) {
    double best = -1e300;
    for (int line = 0; line < LINES; line++)
        if (!(lines >> line & 1) && q[lines][line] > best) best = q[lines][line];
    return best;
}

static int untried_or_best(int lines) {
    int chosen = -1;
    for (int line = 0; line < LINES; line++) {
        if (lines >> line & 1) continue;
        if (q[lines][line] == 0) return line;
        if (chosen < 0 || q[lines][line] > q[lines][chosen]) chosen = line;
    }
    return chosen;
}

static int random_line(int lines) {
    int skip = (int)(random_number() * (LINES - __builtin_popcount((unsigned)lines)));
    for (int line = 0;; line++)
        if (!(lines >> line & 1) && skip-- == 0) return line;
}

/* Plays so many games from an empty table; returns how many the learner won. */
long train(long games, double alpha, double gamma, uint64_t seed) {
    long wins = 0;
    memset(q, 0, sizeof q);
    random_state = seed;
    for (long game = 0; game < games; game++) {
        int lines = 0, boxes[2] = {0, 0}, last_lines = 0, last_line = -1;
        int starter = random_number() < 0.5; /* 0: the learner */
        int player = starter;
        while (lines != FULL) {
            int line;
            if (player == 0) {
                if (last_line >= 0) {
                    double *old = &q[last_lines][last_line];
                    *old = (1 - alpha) * *old + alpha * (gamma * largest(lines));
                }
                line = untried_or_best(lines);
                last_lines = lines;
                last_line = line;
            } else {
                line = random_line(lines);
            }
            lines |= 1 << line;
            int made = 0;
            for (int side = 0; side < 2; side++) {
                int box = beside[line][side];
                made += box && (lines & box) == box;
            }
            boxes[player] += made;
            if (!made) player = 1 - player;
        }
        int won = boxes[0] > boxes[1] || (boxes[0] == boxes[1] && starter == 1);
        if (last_line >= 0) {
            double *old = &q[last_lines][last_line];
            *old = (1 - alpha) * *old + alpha * (won ? 10 : -10);
        }
        wins += won;
    }
    return wins;
}

/* The table that was learnt, lines x line. */
const double *table(void) { return &q[0][0]; }
