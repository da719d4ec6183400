import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { QUICK_BLOCK_MS } from '@openrfq/sandbox/test/quick-blocks.ts'
import { Quote } from '@openrfq/sdk'
import { address, createSolanaRpc, isSignerRole } from '@solana/kit'
import { baseUnits } from 'openrfq/src/core/amount.ts'
import { eventually } from 'openrfq/test/eventually.ts'
import { toKit } from 'openrfq/test/kit-instruction.ts'
import { clusterWallet, senderTo } from 'openrfq/test/solana-cluster.ts'
import { sol } from 'openrfq/test/solana-instructions.ts'
import { KEYS } from 'openrfq/test/test-solver.ts'
import { fetchJson, follow } from 'openrfq/test/wallet.ts'
import { UNTIL_REFUND } from './families-world.ts'
import { connectHandmadeSolver } from './handmade-solver.ts'
import { PATIENT_SECONDS } from './intent-seconds.ts'
import { CHAINS, listTokens, temporaryDirectory, tokenOn } from './sandbox-service.ts'
import { startServiceProcess } from './service-process.ts'

const SOL = '1'.repeat(32)
/** Less than the 890,880 lamports that an account needs. */
const INPUT = 880_000n
const HELD = 100_000_000n
const FEE = 5_000n
/** More than the least that an account needs. */
const GIVEN = 1_000_000n
/** Below what SOL is worth, by less than the service finds too good. */
const DISCOUNT = 0.99
const VALID_MS = 60_000
const RECIPIENT = `0x${'d1'.repeat(20)}`

const [account] = KEYS
assert.ok(account)

type World = {
  readonly running: Awaited<ReturnType<typeof startSandbox>>
  readonly url: string
  readonly control: (path: string, body: unknown) => Promise<unknown>
}

/** A sandbox of all families whose service also knows a solver of the test's, with the keeper's secrets. */
const withWorld = async (work: (world: World) => Promise<void>): Promise<void> => {
  const stops: (() => unknown)[] = []
  try {
    const folder = temporaryDirectory()
    stops.push(folder.remove)
    const running = await startSandbox({
      ...{ log: () => undefined, now: Date.now, endpointSeed: undefined },
      ...{ blockMs: QUICK_BLOCK_MS, intentSeconds: PATIENT_SECONDS },
    })
    stops.push(running.stop)
    const { network } = running
    const accounts = { solana: solanaKey('a handmade solver').address }
    const handmade = { name: 'handmade', address: account.address, accounts }
    const intent = { ...network.intent, solvers: [...(network.intent?.solvers ?? []), handmade] }
    const file = join(folder.path, 'network.json')
    writeFileSync(file, JSON.stringify({ ...network, intent }))
    const service = await startServiceProcess({
      ...{ RFQ_CONFIG: file, DATA_DIR: join(folder.path, 'data'), RATE_LIMIT: 'off' },
      KEEPER_SECRETS: JSON.stringify(Object.fromEntries(running.keeperSecrets)),
      VAULT_SECRETS: JSON.stringify(Object.fromEntries(running.vaultSecrets)),
    })
    stops.push(service.stop)
    await running.connect(service.url)
    const control = async (path: string, body: unknown): Promise<unknown> =>
      running.endpoints.find((endpoint) => endpoint.path === path)?.handle(body)
    await control('/sandbox/solver', { mode: 'paused' })
    await work({ running, url: service.url, control })
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** Offers the output for SOL, from so little on that no account is worth it; the solver fills nothing. */
const offerSol = async ({ running, url, control }: World, chainId: string) => {
  const tokens = await listTokens(url)
  const output = tokenOn({ tokens }, CHAINS.a, 'intent', /^USDC$/)
  const { usdPrice } =
    running.network.tokens.find((token) => token.chainId === chainId && token.address === SOL) ?? {}
  const worth = BigInt(Math.floor(Number(usdPrice) * DISCOUNT * 1_000_000 * (Number(INPUT) / 1e9)))
  const available = worth * 1_000n
  const amount = available.toString()
  await control('/sandbox/faucet', {
    ...{ chainId: output.chainId, token: output.address, address: account.address, amount },
  })
  const solver = await connectHandmadeSolver(url, account)
  const rung = (times: bigint) => ({
    input: baseUnits(INPUT * times),
    output: baseUnits(worth * times),
    fee: baseUnits(0n),
  })
  await solver.declare([
    { chain: output.chainId, token: output.address, available: baseUnits(available), block: 0 },
  ])
  const pair = { fromChain: chainId, fromToken: SOL, toChain: output.chainId, toToken: output.address }
  await solver.quote([{ ...pair, ladder: [rung(1n), rung(100n)], validForMs: VALID_MS }])
  return { pair, stop: solver.stop }
}

test('a refund of less SOL than an account needs waits for SOL in the emptied wallet, and the status says so', () =>
  withWorld(async (world) => {
    const { running, url, control } = world
    const solana = running.simulatedChains.find(({ chain }) => chain.chainType === 'solana') ?? assert.fail()
    const [wallet, sponsor] = await Promise.all(
      ['an emptied wallet', 'its sponsor'].map((name) => clusterWallet(solanaKey(name).privateKey)),
    )
    assert.ok(wallet && sponsor)
    for (const one of [wallet, sponsor]) await solana.faucet(SOL, one.address, HELD)
    const { pair, stop } = await offerSol(world, solana.chain.chainId)
    const body = { ...pair, amount: `${INPUT}`, orderType: 'EXACT_INPUT', sender: wallet.address }
    let said = ''
    const quote = await eventually(
      () => `the solver quotes: ${said}`,
      async () => {
        const asked = { ...body, recipient: RECIPIENT }
        const answer = await fetchJson<{ quotes?: unknown[] }>(`${url}/v1/rfq/quote`, asked)
        said = JSON.stringify(answer)
        return (answer.body.quotes ?? []).map((one) => Quote.parse(one))[0]
      },
    )
    stop()
    const { quoteId } = quote
    const payload = quote.actions.at(-1)?.payload
    assert.ok(payload?.type === 'solana_instructions')
    const send = senderTo(solana.rpcUrl)
    const signers = new Map([wallet, sponsor].map((one) => [one.address, one.signer]))
    const program = solana.chain.attested?.settler
    // The sponsor pays the rent of the order's account, and so the fee.
    const instructions = payload.instructions.map(({ programId, keys, data }) => {
      const paid = keys.map((key, place) => (place === 1 ? { ...key, pubkey: sponsor.address } : key))
      const kit = toKit({ programId, keys: programId === program ? paid : keys, data })
      return {
        ...kit,
        accounts: (kit.accounts ?? []).map((one) => {
          const signer = signers.get(one.address)
          return signer !== undefined && isSignerRole(one.role) ? { ...one, signer } : one
        }),
      }
    })
    await send(sponsor, instructions)
    await follow(url, { quoteId }, ({ state }) => state === 'PENDING')
    const node = createSolanaRpc(solana.rpcUrl)
    const lamports = async (): Promise<bigint> =>
      (await node.getBalance(address(wallet.address), { commitment: 'confirmed' }).send()).value
    const left = await lamports()
    assert.equal(left, HELD - INPUT)
    await send(wallet, [sol(wallet, sponsor.address, left - FEE)])
    await eventually('the wallet is empty', async () => (await lamports()) === 0n)
    await control('/sandbox/clock', { seconds: UNTIL_REFUND })
    const { last } = await follow(url, { quoteId }, ({ details }) => details['refundWaitsFor'] !== undefined)
    assert.deepEqual([last.state, last.refund], ['REFUND_PENDING', null])
    assert.match(String(last.details['refundWaitsFor']), /Send the wallet SOL/)
    await solana.faucet(SOL, wallet.address, GIVEN)
    const end = await follow(url, { quoteId }, ({ state }) => state === 'REFUNDED')
    assert.equal(end.last.refund?.amount, `${INPUT}`)
    assert.equal(end.last.details['refundWaitsFor'], undefined)
    assert.equal(await lamports(), GIVEN + INPUT)
  }))
