/** Reads a chain's newest block for several endpoints, which share one read at a time. */
export type HeadReader<Head> = {
  /** The newest block, read at most `reuseMs` ago. */
  readonly head: () => Promise<Head>
  /** Reads the newest block now. */
  readonly refresh: () => Promise<void>
}

type Options<Head> = {
  readonly read: () => Promise<Head>
  /** 0 reads for each call. */
  readonly reuseMs: number
  readonly now: () => number
}

export const createHeadReader = <Head>({ read, reuseMs, now }: Options<Head>): HeadReader<Head> => {
  let newest: { readonly head: Head; readonly readAt: number } | undefined
  let reading: Promise<Head> | undefined

  const readShared = (): Promise<Head> => {
    reading ??= read()
      .then((head) => {
        newest = { head, readAt: now() }
        return head
      })
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  /** What a read that began earlier returns may be out of date already. */
  const readAnew = async (): Promise<Head> => {
    await reading
    return readShared()
  }
  return {
    head: () => {
      if (reuseMs === 0) return readAnew()
      if (newest !== undefined && now() - newest.readAt < reuseMs) return Promise.resolve(newest.head)
      return readShared()
    },
    refresh: async () => {
      await readAnew()
    },
  }
}
