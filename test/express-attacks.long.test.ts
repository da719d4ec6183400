import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expressRouterAbi } from '@openrfq/contracts'
import { EXPRESS_EXECUTOR } from '@openrfq/sandbox/src/keys.ts'
import { ownArtifact } from '@openrfq/sandbox/test/contract-deployer.ts'
import { chainClients, execute, fetchJson, type WireQuote, type WireStatus } from 'openrfq/test/wallet.ts'
import {
  createWalletClient,
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { LATE_SENDER, quoteToNew, sendShort } from './late-transfers.ts'
import { isDelivered, offered, recover, STRANGER } from './recovery-steps.ts'
import { accountAt, CHAINS, evmService, type SandboxService, type Trade, tokenOn } from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await evmService.start()
})
after(evmService.stop)

const BACKEND = 'gateway-express'

const FLASH_ABI = parseAbi([
  'function attack(address pool, address target, bytes callData) payable',
  'function act(address target, bytes callData)',
  'function isCallSuccessful() view returns (bool)',
])
const REGISTRY_ABI = parseAbi(['function getPool(address, address, uint24) view returns (address)'])
/** Longer than the keeper's patience. */
const PATIENCE_MS = 6_000

const trade = (amount: bigint, from: string = CHAINS.a, input = /^USDC$/): Trade => ({
  from: tokenOn(world, from, BACKEND, input),
  to: tokenOn(world, CHAINS.c, BACKEND, /^ETH$/),
  amount,
})

const signedOrder = (quote: WireQuote) => {
  const { data } = quote.actions.at(-1)?.payload ?? assert.fail()
  const { functionName, args } = decodeFunctionData({ abi: expressRouterAbi, data })
  assert.equal(functionName, 'send')
  // CAST: what `send` takes.
  return args[0] as {
    readonly outputPath: Hex
    readonly minimumBridgeAmount: bigint
    readonly executor: Hex
    readonly priorityUntil: number
  }
}

/** The attacker's wallet on a chain, and a contract of its own that calls while it has a pool locked. */
const armAttacker = async (chainId: string) => {
  const { chain, transport, reader } = chainClients(world.sandbox, chainId)
  const account = privateKeyToAccount(accountAt(world, STRANGER).privateKey)
  const wallet = createWalletClient({ account, chain, transport })
  const mined = async (hash: Hex) => {
    const receipt = await reader.waitForTransactionReceipt({ hash })
    assert.equal(receipt.status, 'success')
    return receipt
  }
  const { contractAddress } = await mined(await wallet.deployContract(ownArtifact('test/FlashAttacker')))
  const flash = contractAddress ?? assert.fail()
  return {
    flash,
    reader,
    send: async (to: Hex, data: Hex) => mined(await wallet.sendTransaction({ to, data })),
    /** Calls a contract while a pool is locked. Returns whether the call succeeded. */
    attack: async (pool: Hex, target: Hex, data: Hex): Promise<boolean> => {
      const args = [pool, target, data] as const
      await mined(
        await wallet.writeContract({ address: flash, abi: FLASH_ABI, functionName: 'attack', args }),
      )
      return reader.readContract({ address: flash, abi: FLASH_ABI, functionName: 'isCallSuccessful' })
    },
  }
}

/** The pool of a path's only hop. */
const poolOf = async (chainId: string, path: Hex): Promise<Hex> => {
  const { reader } = chainClients(world.sandbox, chainId)
  const network = world.sandbox.chains.find((chain) => chain.chainId === chainId) ?? assert.fail()
  const [first, fee, second] = [path.slice(2, 42), path.slice(42, 48), path.slice(48, 88)]
  return reader.readContract({
    address: network.exchange.factory,
    abi: REGISTRY_ABI,
    functionName: 'getPool',
    args: [`0x${first}`, `0x${second}`, Number.parseInt(fee, 16)],
  })
}

const statusOf = async ({ quoteId }: WireQuote): Promise<WireStatus> =>
  (await fetchJson<WireStatus>(`${world.service.url}/v1/rfq/status?quoteId=${quoteId}`)).body

test('a delivery that a stranger executes while its pool is locked is DONE later, and not refunded', async () => {
  const { quote, recipient } = await quoteToNew(world, BACKEND, trade(21_000_000n))
  // With so little gas only the attacker executes it.
  await sendShort(world, quote, 300n)
  const execution = await offered(world, quote.quoteId, 'execute', accountAt(world, STRANGER).address)
  const { payload } = execution.actions[0] ?? assert.fail()
  const { outputPath } = signedOrder(quote)
  const pool = await poolOf(CHAINS.c, outputPath)
  const { attack, flash, send } = await armAttacker(CHAINS.c)
  assert.equal(await attack(pool, payload.to, payload.data), false)
  // As an express executor, too, with the bridge token in hand.
  const bridge: Hex = `0x${outputPath.slice(2, 42)}`
  const give = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [flash, 30_000_000n] })
  await send(bridge, give)
  const allow = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [payload.to, 30_000_000n],
  })
  await send(flash, encodeFunctionData({ abi: FLASH_ABI, functionName: 'act', args: [bridge, allow] }))
  const early = toFunctionSelector('expressExecuteWithToken(bytes32,string,string,bytes,string,uint256)')
  assert.equal(await attack(pool, payload.to, `${early}${payload.data.slice(10)}`), false)
  await delay(PATIENCE_MS)
  const waiting = await statusOf(quote)
  assert.deepEqual([waiting.state, waiting.refund], ['PENDING', null])
  assert.equal(waiting.details['returnTxHash'], undefined)
  await recover(world, quote.quoteId, 'execute')
  await isDelivered(world, quote, recipient)
})

test('a stranger cannot execute a delivery before the executor that the order names', async () => {
  const { quote, recipient } = await quoteToNew(world, BACKEND, trade(22_000_000n))
  await sendShort(world, quote, 300n)
  const { executor, priorityUntil } = signedOrder(quote)
  assert.equal(executor, EXPRESS_EXECUTOR.address)
  const execution = await offered(world, quote.quoteId, 'execute', accountAt(world, STRANGER).address)
  const { payload } = execution.actions[0] ?? assert.fail()
  const { reader } = chainClients(world.sandbox, CHAINS.c)
  const execute = (account: Hex, seconds: number) =>
    reader
      .call({ account, to: payload.to, data: payload.data, blockOverrides: { time: BigInt(seconds) } })
      .then(() => 'delivered')
      .catch((error: unknown) => (/0x3a5c8a8c|TooEarly/.test(String(error)) ? 'too early' : String(error)))
  const attacker = accountAt(world, STRANGER).address
  assert.equal(await execute(attacker, priorityUntil), 'too early')
  assert.equal(await execute(executor, priorityUntil), 'delivered')
  assert.equal(await execute(attacker, priorityUntil + 1), 'delivered')
  await recover(world, quote.quoteId, 'execute')
  await isDelivered(world, quote, recipient)
})

type Leg = Record<'tokenIn' | 'tokenOut', string>

/** Moves the pool of a leg until the price of its input changed so far. */
const movePool = async (chainId: string, leg: Leg | undefined, moveBps: number): Promise<void> => {
  const body = { chainId, tokenA: leg?.tokenIn, tokenB: leg?.tokenOut, moveBps }
  assert.equal((await fetchJson(`${world.service.url}/sandbox/pool`, body)).status, 200)
}

// CAST: the path of a quote's metadata.
const legsOf = (quote: WireQuote) => Object(quote.backend.metadata).path as readonly Leg[]

test('both swaps may lose the tolerance together, and no more: a bad first one costs only its gas', async () => {
  const swap = trade(10n ** 17n, CHAINS.b, /^ETH$/)
  const { quote: quoted } = await quoteToNew(world, BACKEND, swap)
  const { minimumBridgeAmount } = signedOrder(quoted)
  const { amount } = Object(quoted.backend.metadata['bridge'])
  const lossBps = 10_000n - (minimumBridgeAmount * 10_000n) / BigInt(amount)
  assert.ok(lossBps >= 45n && lossBps <= 55n, `${lossBps} of 100 bps for the first swap`)
  const [first] = legsOf(quoted)
  await movePool(CHAINS.b, first, -80)
  const sending = execute(world.sandbox, quoted, accountAt(world, LATE_SENDER).privateKey)
  await assert.rejects(sending, /revert/i, 'the first swap alone may not take most of it')
  await movePool(CHAINS.b, first, 81)
})

test('a transfer whose pools both lose most of their share after the quote is delivered', async (context) => {
  const swap = trade(10n ** 17n, CHAINS.b, /^ETH$/)
  const { quote, recipient } = await quoteToNew(world, BACKEND, swap)
  const [first, second] = legsOf(quote)
  await movePool(CHAINS.b, first, -42)
  await movePool(CHAINS.c, second, -42)
  await execute(world.sandbox, quote, accountAt(world, LATE_SENDER).privateKey)
  await isDelivered(world, quote, recipient)
  const { reader } = chainClients(world.sandbox, CHAINS.c)
  const lost = BigInt(quote.output.amount) - (await reader.getBalance({ address: recipient }))
  context.diagnostic(`${(lost * 10_000n) / BigInt(quote.output.amount)} of 100 bps lost`)
  await movePool(CHAINS.b, first, 43)
  await movePool(CHAINS.c, second, 43)
})
