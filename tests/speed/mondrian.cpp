// The yardstick: strict Mondrian with balanced cuts as a plain loop over the encoded rows, in place.
// Reads rows of one byte per attribute; prints the classes and the seconds of partitioning alone.
//
//   mondrian FILE ROWS ATTRIBUTES K IS_ORDERED...      (IS_ORDERED: one 0 or 1 per attribute)
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int n_attributes, k;
static std::vector<int> is_ordered, n_codes;

struct Span {
    size_t from, to;
};

static double width(const uint32_t *histogram, int attribute) {
    int low = -1, high = 0, values = 0;
    for (int code = 0; code < 256; code++)
        if (histogram[code]) {
            if (low < 0) low = code;
            high = code;
            values++;
        }
    if (values == 1) return -1;
    const double whole = n_codes[attribute] - 1;
    return is_ordered[attribute] ? (high - low) / whole : (values - 1) / whole;
}

// The allowed cut nearest to the median, or -1.
static int balanced(const uint32_t *histogram, size_t n) {
    int best = -1;
    long long best_gap = 0;
    size_t left = 0;
    for (int code = 0; code < 256; code++) {
        if (!histogram[code]) continue;
        left += histogram[code];
        const size_t right = n - left;
        if (left < (size_t)k || right < (size_t)k) continue;
        const long long gap = std::llabs((long long)left - (long long)right);
        if (best < 0 || gap < best_gap) best = code, best_gap = gap;
    }
    return best;
}

int main(int argc, char **argv) {
    if (argc < 5) return 2;
    const size_t n_rows = std::strtoull(argv[2], nullptr, 10);
    n_attributes = std::atoi(argv[3]);
    k = std::atoi(argv[4]);
    if (argc != 5 + n_attributes) return 2;
    for (int i = 0; i < n_attributes; i++) is_ordered.push_back(std::atoi(argv[5 + i]));
    std::vector<uint8_t> rows(n_rows * n_attributes), scratch(n_rows * n_attributes);
    FILE *file = std::fopen(argv[1], "rb");
    if (!file || std::fread(rows.data(), n_attributes, n_rows, file) != n_rows) return 1;
    std::fclose(file);

    const auto begin = std::chrono::steady_clock::now();
    const int stride = n_attributes;
    n_codes.assign(stride, 0);
    for (size_t r = 0; r < n_rows; r++)
        for (int a = 0; a < stride; a++)
            n_codes[a] = std::max(n_codes[a], rows[r * stride + a] + 1);
    std::vector<Span> open{{0, n_rows}};
    std::vector<uint32_t> histogram(stride * 256);
    size_t classes = 0;
    while (!open.empty()) {
        const Span node = open.back();
        open.pop_back();
        const size_t n = node.to - node.from;
        int cut = -1, by = -1;
        if (n >= 2 * (size_t)k) {
            std::fill(histogram.begin(), histogram.end(), 0);
            for (size_t r = node.from; r < node.to; r++)
                for (int a = 0; a < stride; a++) histogram[a * 256 + rows[r * stride + a]]++;
            std::vector<std::pair<double, int>> order;
            for (int a = 0; a < stride; a++) order.push_back({-width(&histogram[a * 256], a), a});
            std::sort(order.begin(), order.end());
            for (const auto &[negative, a] : order) {
                if (negative > 0) break;
                cut = balanced(&histogram[a * 256], n);
                if (cut >= 0) {
                    by = a;
                    break;
                }
            }
        }
        if (by < 0) {
            classes++;
            continue;
        }
        size_t left = node.from, spare = 0;
        for (size_t r = node.from; r < node.to; r++) {
            if (rows[r * stride + by] <= cut) {
                if (left != r) std::memcpy(&rows[left * stride], &rows[r * stride], stride);
                left++;
            } else {
                std::memcpy(&scratch[spare * stride], &rows[r * stride], stride);
                spare++;
            }
        }
        std::memcpy(&rows[left * stride], scratch.data(), spare * stride);
        open.push_back({node.from, left});
        open.push_back({left, node.to});
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::printf("{\"classes\": %zu, \"seconds\": %.3f}\n", classes, seconds);
}
