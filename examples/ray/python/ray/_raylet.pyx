"""The part that is compiled."""


def square_sum(int first, int last):
    """The sum of the squares of first, first + 1, …, last - 1."""
    cdef long long total = 0
    cdef int number
    for number in range(first, last):
        total += <long long> number * number
    return total
