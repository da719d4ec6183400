import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { z } from 'zod'
import { eventually } from '../../../test/eventually.ts'
import type { LocalServer } from '../../../test/local-server.ts'
import { type Lie, startLyingNode } from '../../../test/lying-node.ts'
import { FINALITY, startOf, startWatchedToken, type Watched } from '../../../test/watched-token.ts'

const INVENTED_TX = `0x${'fa'.repeat(32)}`

let world: Awaited<ReturnType<typeof startWatchedToken>>
let liar: LocalServer
let lie: Lie | undefined
before(async () => {
  world = await startWatchedToken(31_996)
  liar = await startLyingNode(world.anvil.rpcUrl, () => lie)
})
after(async () => {
  liar.stop()
  await world.anvil.stop()
})

const Logs = z.array(z.looseObject({}))
const Header = z.looseObject({ number: z.string(), hash: z.string(), timestamp: z.string() })
const isLogs = ({ method }: Parameters<Lie>[0]): boolean => method === 'eth_getLogs'
const onHeader =
  (change: (header: z.infer<typeof Header>) => object): Lie =>
  (_call, result) => {
    const header = Header.safeParse(result)
    return header.success ? change(header.data) : result
  }

/** The lies of one endpoint about a chain on which one log is mined. */
const LIES: Readonly<Record<string, Lie>> = {
  'hides the log': (call, result) => (isLogs(call) ? [] : result),
  'tells the log with other data': (call, result) =>
    isLogs(call) ? Logs.parse(result).map((log) => ({ ...log, data: `0x${'f'.repeat(64)}` })) : result,
  'tells the log of a transaction that does not exist': (call, result) =>
    isLogs(call) ? Logs.parse(result).map((log) => ({ ...log, transactionHash: INVENTED_TX })) : result,
  'invents a second log': (call, result) =>
    isLogs(call)
      ? Logs.parse(result).flatMap((log) => [log, { ...log, transactionHash: INVENTED_TX, logIndex: '0x7' }])
      : result,
  'dates blocks an hour ahead': onHeader((header) => ({
    ...header,
    timestamp: `0x${(Number(header.timestamp) + 3_600).toString(16)}`,
  })),
  'knows other blocks': onHeader((header) => ({
    ...header,
    hash: header.hash.replace(/^0x../, '0xee'),
    parentHash: String(header['parentHash']).replace(/^0x../, '0xee'),
  })),
  'is a thousand blocks ahead': ({ method, params: [tag] }, result) => {
    if (method === 'eth_blockNumber') return `0x${(Number(result) + 1_000).toString(16)}`
    if (tag !== 'latest') return result
    const header = Header.parse(result)
    return { ...header, number: `0x${(Number(header.number) + 1_000).toString(16)}` }
  },
}

const between = async (work: (watched: Watched) => Promise<void>, position: number): Promise<void> => {
  const rpcUrls = ['/?one', '/?two'].map((path) => world.anvil.rpcUrl + path)
  try {
    await world.watching(work, { rpcUrls: rpcUrls.toSpliced(position, 0, liar.url) })
  } finally {
    lie = undefined
  }
}

for (const [does, told] of Object.entries(LIES))
  for (const position of [0, 2])
    test(`while endpoint ${position} of three ${does}, final logs are those of the others`, () =>
      between(async (watched) => {
        await startOf(watched)
        lie = told
        const mined = await world.mintForReceipt(1n)
        await world.client.mine({ blocks: FINALITY + 1 })
        const block = await world.client.getBlock({ blockNumber: mined.blockNumber })
        const { listener } = watched
        await eventually('the block is final', async () => {
          await world.client.mine({ blocks: 1 })
          return (listener.cursors.at(-1)?.blockNumber ?? 0n) >= mined.blockNumber
        })
        const truth = (await world.client.getLogs({ address: world.token, blockHash: block.hash })).map(
          ({ transactionHash, data, logIndex }) => [transactionHash, data, logIndex, Number(block.timestamp)],
        )
        assert.deepEqual(
          listener.final.map(({ txHash, data, position: index, timestampSeconds }) => [
            txHash,
            data,
            index,
            timestampSeconds,
          ]),
          truth,
        )
        assert.deepEqual(
          [...listener.tentative.values()].filter(({ blockNumber }) => blockNumber <= mined.blockNumber),
          [],
        )
      }, position))
