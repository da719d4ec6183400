import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { decodeFunctionResult, encodeAbiParameters, type Hex, zeroAddress } from 'viem'
import { type ForgedMessage, forgeries } from './express-forgeries.ts'
import { PROBER_ABI } from './express-site.ts'
import {
  approve,
  EXECUTOR,
  type ExpressWorld,
  freshId,
  give,
  SENDER,
  type Side,
  STRANGER,
  startExpressWorld,
  THIRD,
  TRANSFER,
  tokensOf,
  WEALTH,
} from './express-world.ts'

const BATCH = 50
const BATCHES = 200
const GAS = 2_000_000_000n

let world: ExpressWorld
before(async () => {
  world = await startExpressWorld()
})
after(() => world.stop())

/** Funds the prober, who pays for its own attempts, and approves the router. */
const endow = async (side: Side, token: Hex, prober: Hex): Promise<void> => {
  await give(side, token, prober, WEALTH)
  if (token === zeroAddress) return
  const approval = side.encode('approve', [side.router, 2n ** 256n - 1n])
  await side.run({ from: STRANGER, to: prober, data: side.encode('act', [token, approval]) })
}

/** Has the gateway approve well-formed messages from every sender except the chain's trusted router. */
const approveForgeries = async (side: Side, other: Side): Promise<readonly ForgedMessage[]> => {
  const transfer = {
    sourceChainId: BigInt(other.number),
    destinationChainId: BigInt(side.number),
    sender: SENDER,
    salt: freshId(),
    refundAddress: STRANGER,
    symbol: other.symbol,
    amount: 1_000_000n,
    outputToken: side.bridge,
    outputPath: '0x',
    minimumAmount: 1n,
    recipient: STRANGER,
    deliveryGas: 500_000,
  }
  const back = { ...transfer, sourceChainId: BigInt(side.number), destinationChainId: BigInt(other.number) }
  const sources: readonly (readonly [string, Hex])[] = [
    ['Elsewhere', other.router],
    [other.axelarChain, STRANGER],
    [side.axelarChain, side.router],
    [THIRD.axelarChain, THIRD.router],
  ]
  const forged: ForgedMessage[] = []
  for (const [sourceChain, sourceAddress] of sources)
    for (const content of [transfer, back]) {
      const payload = encodeAbiParameters(TRANSFER, [content])
      const { symbol, router: target } = side
      const message = { sourceChain, sourceAddress, target, payload, symbol, amount: content.amount }
      forged.push({ id: await approve(side, message), message })
    }
  return forged
}

for (const name of ['a', 'b'] as const)
  test(`10,000 forged payloads and calls to the router of side ${name} take nothing from accounts with unlimited approvals and leave nothing in the router`, async () => {
    const [side, other] = name === 'a' ? [world.a, world.b] : [world.b, world.a]
    const prober = await side.deploy('prober')
    for (const token of tokensOf(side)) await endow(side, token, prober)
    const forged = await approveForgeries(side, other)
    const counts = new Map<string, number>()
    const batch = fc.array(forgeries(side, other, prober, forged), {
      minLength: BATCH,
      maxLength: BATCH,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(batch, async (attempts) => {
        const calls = attempts.map(({ callData, value }) => ({ target: side.router, value, callData }))
        const victims = [SENDER, EXECUTOR, side.gateway, side.gasService, side.swapRouter, side.positions]
        const data = side.encode('probe', [calls, [side.router], victims, tokensOf(side)])
        const answer = await side.rpc(
          'eth_call',
          { from: STRANGER, to: prober, data, gas: `0x${GAS.toString(16)}` },
          'latest',
        )
        // CAST: eth_call answers hex, and probe an array of booleans.
        const successes = decodeFunctionResult({
          abi: PROBER_ABI,
          functionName: 'probe',
          data: answer as Hex,
        }) as readonly boolean[]
        for (const [index, { kind }] of attempts.entries()) {
          const key = `${kind} ${successes[index] ? 'done' : 'refused'}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      }),
      { numRuns: BATCHES },
    )
    for (const kind of ['send done', 'send refused', 'expressExecuteWithToken done', 'mutated done'])
      assert.ok(counts.get(kind), `no ${kind}`)
    for (const kind of ['executeWithToken', 'execute', 'expressExecute', 'deliver', 'approved'])
      assert.deepEqual([counts.has(`${kind} refused`), counts.has(`${kind} done`)], [true, false], kind)
  })
