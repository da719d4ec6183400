/** The service's time in milliseconds since 1970, and the `fetch` that learns it from the answers. */
export type ServiceTime = { readonly fetch: typeof fetch; readonly now: () => number }

/** An answer dates itself in whole seconds, cut. */
const DATE_STEP_MS = 1_000

// CAST: a careless replacement of fetch answers with no Response; its reader rejects that.
const headerOf = (answer: unknown, name: string): string =>
  (answer as Partial<Response> | undefined)?.headers?.get(name) ?? ''

/**
 * Creates a clock of the service: the device's, put right by the `date` of each answer, which lies between the request and its
 * arrival. Of the times that the answers allow it tells the latest, so that a quote never seems to be valid for longer than it
 * is. Until the first answer it is the device's clock.
 */
export const createServiceTime = (send: typeof fetch, deviceNow: () => number): ServiceTime => {
  /** How far the service is ahead of the device, at least and at most. */
  let ahead: { readonly least: number; readonly most: number } | undefined
  const learn = (date: number, sentAt: number, arrivedAt: number): void => {
    const said = { least: date - arrivedAt, most: date + DATE_STEP_MS - sentAt }
    // Where they contradict each other, a clock was set since.
    const agrees = ahead !== undefined && said.least <= ahead.most && ahead.least <= said.most
    ahead =
      ahead !== undefined && agrees
        ? { least: Math.max(ahead.least, said.least), most: Math.min(ahead.most, said.most) }
        : said
  }
  return {
    now: () => deviceNow() + (ahead?.most ?? 0),
    fetch: async (input, init) => {
      const sentAt = deviceNow()
      const answer = await send(input, init)
      const date = Date.parse(headerOf(answer, 'date'))
      // A cache answers with the date of then.
      const mayBeStored = headerOf(answer, 'cache-control').includes('max-age')
      if (!Number.isNaN(date) && !mayBeStored) learn(date, sentAt, deviceNow())
      return answer
    },
  }
}
