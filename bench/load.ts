import autocannon from 'autocannon'

/** One request of a load; every connection sends all of a job's requests in turn. */
export type LoadRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** A load on one server: the number of connections, the duration, and whether each answer must contain a quote. */
export type LoadJob = {
  readonly url: string
  /** Selects the answer of the bare server. */
  readonly course: string
  readonly connections: number
  readonly seconds: number
  readonly requests: readonly LoadRequest[]
  readonly wantsQuotes: boolean
  /** Whether the load never sleeps; it takes a processor that a server with a second thread would need. */
  readonly staysAwake: boolean
}

/**
 * The result of a load. Latencies in milliseconds; `failures` counts errors and every answer that is not a 200 with the
 * expected body.
 */
export type LoadResult = {
  readonly answers: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly failures: number
  /** The first failed answer, shortened. */
  readonly failure: string | undefined
  readonly quoteIds: readonly string[]
}

const ID_MARK = '"quoteId":"'
const ID_LENGTH = 32
/** autocannon ends a load only at the end of a sample. */
const SAMPLE_MS = 100
const SHOWN_CHARACTERS = 200

const collectIds = (body: string, into: string[]): boolean => {
  const before = into.length
  for (let at = body.indexOf(ID_MARK); at >= 0; at = body.indexOf(ID_MARK, at + ID_LENGTH))
    into.push(body.substr(at + ID_MARK.length, ID_LENGTH))
  return into.length > before
}

/**
 * Keeps this process from sleeping until the returned function is called. To wake it costs the server that writes as much
 * as a bare answer, and only a server that is slower than the load lets it sleep.
 */
const stayAwake = (): (() => void) => {
  let isAwake = true
  const turn = (): void => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}

const run = async (job: LoadJob): Promise<LoadResult> => {
  const quoteIds: string[] = []
  let wrong = 0
  let failure: string | undefined
  const rest = job.staysAwake ? stayAwake() : undefined
  const result = await autocannon({
    url: job.url,
    connections: job.connections,
    duration: job.seconds,
    sampleInt: SAMPLE_MS,
    headers: { 'content-type': 'application/json', 'x-course': job.course },
    requests: job.requests.map((request) => ({
      ...request,
      onResponse: (status: number, body: string) => {
        const good = status === 200 && (collectIds(body, quoteIds) || !job.wantsQuotes)
        if (good) return
        wrong += 1
        failure ??= `${status} ${body.slice(0, SHOWN_CHARACTERS)}`
      },
    })),
  })
  rest?.()
  return {
    answers: result.requests.total,
    requestsPerSecond: result.requests.total / result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.errors + wrong,
    failure,
    quoteIds,
  }
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${error}\n`)
      process.exit(1)
    },
  )
})
process.once('disconnect', () => process.exit(0))
