/** The form in which addresses of one chain are compared: hex without regard to case, all others exactly. */
export const comparableAddress = (address: string): string =>
  address.startsWith('0x') ? address.toLowerCase() : address

/** Whether two texts are one address of a chain. */
export const isSameAddress = (one: string, other: string): boolean =>
  comparableAddress(one) === comparableAddress(other)
