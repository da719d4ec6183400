/** The known facts if all are known, else what reading them gives: a quote from known facts waits for nothing. */
export const allOf = <Facts extends readonly unknown[]>(
  known: Facts,
  read: () => Promise<Facts>,
): Facts | Promise<Facts> => (known.includes(undefined) ? read() : known)
