/** How many times a header is given, by its name in lower case. Node joins some repeated headers and drops others. */
export const countHeader = (rawHeaders: readonly string[], wanted: string): number => {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === wanted.length && name.toLowerCase() === wanted) count += 1
  }
  return count
}
