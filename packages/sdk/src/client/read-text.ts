/**
 * The body as UTF-8 text, or undefined when it is longer than the limit. Reads with a reader, because bodies cannot be
 * iterated in Safari; without streams (React Native) the whole body is taken at once. `arrived` awaits what comes from the
 * network, so that its failures can be told from those of a body that is none.
 */
export const readText = async (
  response: Response,
  maxBytes: number,
  arrived: <Part>(part: Promise<Part>) => Promise<Part>,
): Promise<string | undefined> => {
  if (response.body === null || response.body === undefined) {
    const text = await arrived(response.text())
    return text.length > maxBytes ? undefined : text
  }
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await arrived(reader.read())
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      // The rest is of no use, and neither is whether it could be given up.
      reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
