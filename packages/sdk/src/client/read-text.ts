/**
 * Reads a body as UTF-8 text; undefined when it exceeds the limit. Uses a reader, because Safari cannot iterate bodies;
 * without streams (React Native) it reads the whole body at once. `arrived` awaits network reads, so that their
 * failures are told apart from a malformed body.
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
      // The rest is not needed, and a failed cancellation does not matter.
      reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(value, { stream: true })
  }
}
