/** An answer to an HTTP request: its status and its JSON. */
export type Reply = { readonly status: number; readonly body: object }

/** What answers one path. */
export type Endpoint = {
  readonly maximumBytes: number
  /** `whileKnown` runs work for a caller who has proved who it is: strangers do not take its connection's place. */
  readonly answer: (
    text: string,
    whileKnown: <Value>(work: () => Promise<Value>) => Promise<Value>,
  ) => Promise<Reply>
}

/** An answer with an error's text. */
export const failed = (status: number, error: string): Reply => ({ status, body: { error } })

/** The value of a JSON text; undefined for other text. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
