import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { eventually } from 'openrfq/test/eventually.ts'
import { type MainnetWorld, readMainnet, startMainnetWorld } from 'openrfq/test/mainnet-world.ts'
import { wideNetwork } from 'openrfq/test/wide-network.ts'
import { ask, type Pair, readiness, samplePairs, servedPairs } from '../test/network-load.ts'
import { type ServiceProcess, startServiceProcess } from '../test/service-process.ts'
import { median } from './report.ts'

/** Each limit is a multiple of the time that this machine needs to start Node. */
type Limits = Readonly<Record<'processor' | 'ready' | 'cold' | 'warm' | 'empty' | 'back', number>>

const REAL: Limits = { processor: 90, ready: 670, cold: 16, warm: 0.25, empty: 2.5, back: 220 }
const WIDE: Limits = { ...REAL, processor: 180, ready: 1_300, warm: 0.5 }
const SAMPLE = 200
const NODE_STARTS = 5
/** Milliseconds of a tick of the processor times in /proc. */
const TICK_MS = 10

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** The median of the milliseconds that this machine needs now to start Node. */
const nodeStartMs = async (): Promise<number> => {
  const times: number[] = []
  for (let time = 0; time < NODE_STARTS; time += 1)
    times.push(await timed(async () => execFileSync(process.execPath, ['-e', '0'])))
  return median(times)
}

/** The processor time that a service has used, in milliseconds. */
const processorMs = ({ processId }: ServiceProcess): number => {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

const isReady = async (service: ServiceProcess): Promise<boolean> => (await readiness(service)).status === 200

/** Times quotes of pairs that are asked for the first time, and again once they are quoted. */
const timeQuotes = async (service: ServiceProcess, pairs: readonly Pair[]) => {
  const [cold, warm]: [number[], number[]] = [[], []]
  for (const pair of samplePairs(pairs, SAMPLE)) {
    cold.push(await timed(() => ask(service, pair)))
    await eventually('the pair is quoted', async () => (await ask(service, pair)).body.quotes.length > 0)
    warm.push(await timed(() => ask(service, pair)))
  }
  return { cold: median(cold), warm: median(warm) }
}

/** Times the empty answer while all endpoints are dead, and the return of all chains. */
const timeOutage = async ({ rpc }: MainnetWorld, service: ServiceProcess, pair: Pair) => {
  for (const endpoint of rpc.endpoints.flat()) endpoint.isDead = true
  await eventually('the service is not ready', async () => !(await isReady(service)))
  const empty = await timed(() => ask(service, pair))
  for (const endpoint of rpc.endpoints.flat()) endpoint.isDead = false
  return { empty, back: await timed(() => eventually('all is read again', () => isReady(service))) }
}

const measure = async (name: string, world: MainnetWorld, limits: Limits): Promise<boolean> => {
  const before = await nodeStartMs()
  const started = performance.now()
  const service = await startServiceProcess(world.environment)
  try {
    const processor = processorMs(service)
    await eventually('every chain is read', () => isReady(service))
    const ready = performance.now() - started
    const pairs = await servedPairs(service, world)
    const [pair] = pairs
    if (pair === undefined) throw new Error('the service lists no pair')
    const quotes = await timeQuotes(service, pairs)
    const times = { processor, ready, ...quotes, ...(await timeOutage(world, service, pair)) }
    const unit = (before + (await nodeStartMs())) / 2
    let isFast = true
    for (const [what, ms] of Object.entries(times)) {
      // CAST: Object.entries widens the keys, which are those of the limits.
      const limit = limits[what as keyof Limits]
      isFast &&= ms / unit <= limit
      process.stdout.write(
        `${name}, ${what}: ${ms.toFixed(1)} ms, ${(ms / unit).toFixed(2)} starts of Node, wanted <= ${limit}\n`,
      )
    }
    return isFast
  } finally {
    await service.stop()
    world.stop()
  }
}

const real = await measure('26 chains', await startMainnetWorld(), REAL)
const wide = await measure('70 chains', await startMainnetWorld(wideNetwork(readMainnet(), 70, 2_000)), WIDE)
process.exitCode = real && wide ? 0 : 1
