// Primality below 2^64, by the test of Miller and Rabin with the first twelve primes as bases, which is a proof there
// (Sorenson and Webster, Strong pseudoprimes to twelve prime bases, 2015).

import { power } from "./numbers.mjs";

const BASES = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n];

export function isPrime(n) {
  n = BigInt(n);
  if (n < 2n) return false;
  for (const base of BASES) if (n % base === 0n) return n === base;
  let odd = n - 1n;
  let twos = 0;
  while (!(odd & 1n)) [odd, twos] = [odd >> 1n, twos + 1];
  return BASES.every((base) => {
    let x = power(base, odd, n);
    if (x === 1n || x === n - 1n) return true;
    for (let k = 1; k < twos; k += 1) {
      x = (x * x) % n;
      if (x === n - 1n) return true;
    }
    return false;
  });
}
