/** Compares texts by code units: the order is the same on every machine. */
export const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
