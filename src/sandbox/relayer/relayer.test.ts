import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  parseAbi,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { transferGasFee } from '../../axelar/gas-fee.ts'
import { createAxelarscan } from '../../axelar/gmp.ts'
import { type RunningChains, startChains } from '../chains.ts'
import { GATEWAY_PLANS } from '../deploy/plan.ts'
import { RELAYER, SIGNER_SET, USERS } from '../keys.ts'
import { postRpc } from '../rpc-call.ts'
import { type Hex, HUB, type SandboxChain } from '../world-types.ts'
import { createRelayer, type Relayer } from './index.ts'

const ABI = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function interchainTransfer(bytes32 tokenId, string destinationChain, bytes destinationAddress, uint256 amount, bytes metadata, uint256 gasValue) payable',
  'function sendToken(string destinationChain, string destinationAddress, string symbol, uint256 amount)',
  'function callContract(string destinationChain, string contractAddress, bytes payload)',
  'function addNativeGas(bytes32 txHash, uint256 logIndex, address refundAddress) payable',
  'function setFlowLimit(uint256 limit)',
])
const HexText = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))
const GmpRecord = z.looseObject({
  status: z.string(),
  simplified_status: z.string(),
  gas_status: z.string(),
  command_id: HexText,
  call: z.object({
    chain: z.string(),
    transactionHash: HexText,
    logIndex: z.int(),
    parentMessageID: z.string().nullable(),
  }),
  executed: z
    .object({
      chain: z.string(),
      transactionHash: HexText,
      blockNumber: z.int(),
      childMessageIDs: z.array(z.string()).default([]),
    })
    .optional(),
  error: z.object({ error: z.object({ message: z.string() }) }).optional(),
})
type GmpRecord = z.infer<typeof GmpRecord>
const GmpAnswer = z.object({ data: z.array(GmpRecord) })
const TransferRecord = z.looseObject({
  status: z.string(),
  transfer_id: z.int().nullable(),
  send: z.object({
    amount: z.number(),
    fee: z.number(),
    amount_received: z.number(),
    insufficient_fee: z.boolean(),
  }),
  command: z.object({ executed: z.boolean(), command_id: z.string() }).optional(),
})
type TransferRecord = z.infer<typeof TransferRecord>
const TransferAnswer = z.object({ data: z.array(TransferRecord) })
const CONTRACT_CALL = '0x30ae6cc78c27e651745bf2ad08a11de83910ac1e347a52f7ac898c0fbef94dae'
const TOKEN_SENT = '0x651d93f66c4329630e8d0f62488eff599e3be484da587335e8dc0fcf46062726'
const ONE = 10n ** 18n
const PATIENCE_MS = 15_000

let world: RunningChains
let relayer: Relayer
let url: string
const logged: string[] = []

before(async () => {
  world = await startChains(Date.now)
  relayer = createRelayer({
    chains: world.chains,
    assets: GATEWAY_PLANS.map(({ asset }) => asset),
    signerSet: SIGNER_SET,
    relayerKey: RELAYER.privateKey,
    log: (level, message, fields) => logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
    now: Date.now,
  })
  url = (await relayer.start()).url
})

after(async () => {
  await relayer?.stop()
  await world?.stop()
})

const chainAt = (position: number): SandboxChain => {
  const chain = world.chains[position]
  assert.ok(chain)
  return chain
}

const walletOf = (chain: SandboxChain, user: number) => {
  const key = USERS[user]
  assert.ok(key)
  const transport = http(chain.rpcUrl)
  const definition = defineChain({
    id: Number(chain.chainId.slice(7)),
    name: chain.chainLabel,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  const account = privateKeyToAccount(key.privateKey)
  const wallet = createWalletClient({ account, chain: definition, transport })
  const client = createPublicClient({ chain: definition, transport, pollingInterval: 50, cacheTime: 0 })
  const done = async (hash: Hex): Promise<TransactionReceipt> => {
    const receipt = await client.waitForTransactionReceipt({ hash, timeout: PATIENCE_MS })
    assert.equal(receipt.status, 'success')
    return receipt
  }
  return { address: account.address, wallet, client, done }
}

const tokenOf = (chain: SandboxChain, symbol: string) => {
  const token = world.world.tokens.find((one) => one.chainId === chain.chainId && one.symbol === symbol)
  assert.ok(token, `${symbol} on ${chain.axelarName}`)
  // CAST: the world's addresses are checked to be hex when it is read.
  return { address: token.address as Hex, tokenId: (token.its?.tokenId ?? '0x') as Hex }
}

const balanceOf = (chain: SandboxChain, symbol: string, owner: Hex): Promise<bigint> =>
  walletOf(chain, 0).client.readContract({
    address: tokenOf(chain, symbol).address,
    abi: ABI,
    functionName: 'balanceOf',
    args: [owner],
  })

const ask = async (path: string, body: object): Promise<unknown> => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

const feeBetween = async (source: SandboxChain, destination: SandboxChain): Promise<bigint> => {
  const pair = { sourceChain: source.axelarName, destinationChain: destination.axelarName }
  return BigInt(z.string().parse(await ask('/gmp/estimateITSFee', { ...pair, event: 'InterchainTransfer' })))
}

const idOf = (receipt: TransactionReceipt, topic: string): string =>
  `${receipt.transactionHash}-${receipt.logs.findIndex(({ topics }) => topics[0] === topic)}`

const sendInterchain = async (
  source: SandboxChain,
  destination: SandboxChain,
  symbol: string,
  amount: bigint,
  options: { user?: number; fee?: bigint; recipient?: Hex } = {},
): Promise<string> => {
  const { wallet, address, done } = walletOf(source, options.user ?? 0)
  const token = tokenOf(source, symbol)
  const fee = options.fee ?? (await feeBetween(source, destination))
  await done(
    await wallet.writeContract({ ...token, abi: ABI, functionName: 'approve', args: [source.its, amount] }),
  )
  const hash = await wallet.writeContract({
    address: source.its,
    abi: ABI,
    functionName: 'interchainTransfer',
    args: [token.tokenId, destination.axelarName, options.recipient ?? address, amount, '0x', fee],
    value: fee,
  })
  return idOf(await done(hash), CONTRACT_CALL)
}

const messageOf = async (messageId: string): Promise<GmpRecord | undefined> =>
  GmpAnswer.parse(await ask('/gmp/searchGMP', { messageId })).data[0]

const transferOf = async (txHash: string): Promise<TransferRecord | undefined> =>
  TransferAnswer.parse(await ask('/api/searchTransfers', { txHash })).data[0]

const waitFor = async <Value>(read: () => Promise<Value | undefined | false>): Promise<Value> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const value = await read()
    if (value !== undefined && value !== false) return value
    await delay(50)
  }
  assert.fail(`nothing came within ${PATIENCE_MS} ms; the relayer logged ${logged.slice(-5).join('\n')}`)
}

const waitForStatus = (messageId: string, status: string): Promise<GmpRecord> =>
  waitFor(async () => {
    const message = await messageOf(messageId)
    return message?.['status'] === status && message
  })

const childOf = (message: GmpRecord): string => {
  const [childId] = message.executed?.childMessageIDs ?? []
  assert.ok(childId)
  return childId
}

test('carries an interchain token over the hub in two hops', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  const owner = walletOf(a, 0).address
  const before = await balanceOf(b, 'HBR', owner)
  const id = await sendInterchain(a, b, 'HBR', 5n * ONE)
  const first = await waitForStatus(id, 'executed')
  assert.equal(first.call.chain, 'sandbox-a')
  assert.equal(first.executed?.chain, HUB.chain)
  const childId = childOf(first)
  const second = await waitForStatus(childId, 'executed')
  assert.equal(second.call.parentMessageID, id)
  assert.equal(second.executed?.chain, 'sandbox-b')
  assert.equal((await balanceOf(b, 'HBR', owner)) - before, 5n * ONE)
  assert.ok(second.executed)
  const hash = second.executed.transactionHash
  const receipt = await walletOf(b, 0).client.getTransactionReceipt({ hash })
  assert.equal(receipt.status, 'success')
  assert.ok(receipt.logs.some(({ topics }) => topics[1] === second.command_id))
})

test('rounds down to the decimals of the destination and loses the dust', async () => {
  const [a, c] = [chainAt(0), chainAt(2)]
  const owner = walletOf(a, 1).address
  const before = await balanceOf(c, 'HBR', owner)
  await sendInterchain(a, c, 'HBR', 3n * ONE + 1_999_999_999_999n, { user: 1 })
  await relayer.settle()
  assert.equal((await balanceOf(c, 'HBR', owner)) - before, 3_000_001n)
})

test('the hub refuses an amount of which nothing arrives, for good', async () => {
  const [a, c] = [chainAt(0), chainAt(2)]
  const id = await sendInterchain(a, c, 'HBR', 999n)
  const message = await waitForStatus(id, 'error')
  assert.match(message.error?.error.message ?? '', /invalid transfer amount/)
  assert.equal(message.simplified_status, 'failed')
  assert.equal(message.executed, undefined)
})

test('carries a gateway token for the flat fee', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  const { wallet, address, done } = walletOf(a, 2)
  const token = tokenOf(a, 'USDC')
  await done(
    await wallet.writeContract({ ...token, abi: ABI, functionName: 'approve', args: [a.gateway, 10n ** 9n] }),
  )
  const before = await balanceOf(b, 'axlUSDC', address)
  const receipt = await done(
    await wallet.writeContract({
      address: a.gateway,
      abi: ABI,
      functionName: 'sendToken',
      args: ['sandbox-b', address, 'USDC', 100_000_000n],
    }),
  )
  assert.match(idOf(receipt, TOKEN_SENT), /-[0-9]$/)
  const record = await waitFor(async () => {
    const transfer = await transferOf(receipt.transactionHash)
    return transfer?.command?.executed === true && transfer
  })
  assert.equal((await balanceOf(b, 'axlUSDC', address)) - before, 98_500_000n)
  assert.deepEqual([record.send.amount, record.send.fee, record.send.amount_received], [100, 1.5, 98.5])
  assert.equal(BigInt(`0x${record.command?.command_id}`), BigInt(record.transfer_id ?? 0))
})

test('a gateway transfer that does not exceed its fee waits for a later one', async () => {
  const [b, c] = [chainAt(1), chainAt(2)]
  const { wallet, address, done } = walletOf(b, 3)
  const token = tokenOf(b, 'axlUSDC')
  await done(
    await wallet.writeContract({ ...token, abi: ABI, functionName: 'approve', args: [b.gateway, 10n ** 9n] }),
  )
  const before = await balanceOf(c, 'axlUSDC', address)
  const send = async (amount: bigint): Promise<Hex> => {
    const args = ['sandbox-c', address, 'axlUSDC', amount] as const
    return wallet.writeContract({ address: b.gateway, abi: ABI, functionName: 'sendToken', args })
  }
  const { transactionHash } = await done(await send(750_000n))
  await relayer.settle()
  const small = await transferOf(transactionHash)
  assert.equal(small?.send.insufficient_fee, true)
  assert.equal(small?.status, 'asset_sent')
  await done(await send(1n))
  await waitFor(async () => (await balanceOf(c, 'axlUSDC', address)) - before === 1n)
  const carried = await transferOf(transactionHash)
  assert.equal(carried?.status, 'executed')
})

test('a message that paid nothing stalls, and goes on when gas is added', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  const { wallet, address, client, done } = walletOf(a, 4)
  const before = await balanceOf(b, 'BCN', address)
  const id = await sendInterchain(a, b, 'BCN', ONE, { user: 4, fee: 0n })
  const stalled = await waitForStatus(id, 'insufficient_fee')
  assert.equal(stalled.gas_status, 'gas_unpaid')
  await relayer.settle()
  assert.equal((await messageOf(id))?.status, 'insufficient_fee')
  const hash = stalled.call.transactionHash
  const receipt = await client.getTransactionReceipt({ hash })
  const log = receipt.logs.find(({ topics }) => topics[0] === CONTRACT_CALL)
  await done(
    await wallet.writeContract({
      address: a.gasService,
      abi: ABI,
      functionName: 'addNativeGas',
      args: [hash, BigInt(log?.logIndex ?? 0), address],
      value: await feeBetween(a, b),
    }),
  )
  await waitForStatus(id, 'executed')
  await relayer.settle()
  assert.equal((await balanceOf(b, 'BCN', address)) - before, ONE)
})

test('an underpaid message is approved but not executed until gas is added', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  const { wallet, address, done } = walletOf(a, 5)
  const before = await balanceOf(b, 'BCN', address)
  const fee = await feeBetween(a, b)
  const id = await sendInterchain(a, b, 'BCN', ONE, { user: 5, fee: fee - 1n })
  const first = await waitForStatus(id, 'executed')
  const childId = childOf(first)
  const second = await waitForStatus(childId, 'not_enough_gas_to_execute')
  assert.equal(second.gas_status, 'gas_paid_not_enough_gas')
  assert.equal((await balanceOf(b, 'BCN', address)) - before, 0n)
  await done(
    await wallet.writeContract({
      address: a.gasService,
      abi: ABI,
      functionName: 'addNativeGas',
      args: [first.call.transactionHash, BigInt(first.call.logIndex), address],
      value: 1n,
    }),
  )
  await waitForStatus(childId, 'executed')
  assert.equal((await balanceOf(b, 'BCN', address)) - before, ONE)
})

test('what the service computes from getFees pays for a transfer', async () => {
  const scan = createAxelarscan({ url, now: Date.now, log: () => undefined })
  const [a, c] = [chainAt(0), chainAt(2)]
  const hops = {
    toHub: await scan.hopFees(a.axelarName, HUB.chain),
    fromHub: await scan.hopFees(HUB.chain, c.axelarName),
  }
  const computed = transferGasFee(hops, 700_000n, 10_000)
  const needed = await feeBetween(a, c)
  assert.ok(computed !== undefined && computed >= needed, `${computed} against ${needed}`)
  assert.ok(computed < (needed * 101n) / 100n, `${computed} against ${needed}`)
})

test('paused it carries nothing, and afterwards everything', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  await relayer.pause()
  const id = await sendInterchain(a, b, 'BCN', ONE)
  const waiting = await waitForStatus(id, 'called')
  assert.equal(waiting.gas_status, 'gas_paid_enough_gas')
  await delay(500)
  assert.equal((await messageOf(id))?.status, 'called')
  relayer.resume()
  await waitForStatus(id, 'executed')
})

test('a message whose block is reorganised away before it is confirmed is not carried', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  const owner = walletOf(a, 8).address
  const before = await balanceOf(b, 'BCN', owner)
  await relayer.pause()
  const id = await sendInterchain(a, b, 'BCN', ONE, { user: 8 })
  await postRpc(a.rpcUrl, 'anvil_reorg', [3, []])
  relayer.resume()
  await waitFor(async () => (await messageOf(id)) === undefined)
  await relayer.settle()
  assert.equal(await messageOf(id), undefined)
  assert.equal((await balanceOf(b, 'BCN', owner)) - before, 0n)
})

test('a delivery that a reorg takes back is made again', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  const owner = walletOf(a, 9).address
  const before = await balanceOf(b, 'BCN', owner)
  const id = await sendInterchain(a, b, 'BCN', ONE, { user: 9 })
  const first = await waitForStatus(id, 'executed')
  const childId = childOf(first)
  const delivered = await waitForStatus(childId, 'executed')
  await postRpc(b.rpcUrl, 'anvil_reorg', [4, []])
  await waitFor(async () => {
    const message = await messageOf(childId)
    return message?.status === 'executed' && message.executed?.blockNumber !== delivered.executed?.blockNumber
  })
  assert.equal((await balanceOf(b, 'BCN', owner)) - before, ONE)
})

test('two messages in one block each arrive under an id of their own', async () => {
  const [a, b] = [chainAt(0), chainAt(1)]
  const sends = [6, 7].map(async (user) => {
    const { wallet, address } = walletOf(a, user)
    const before = await balanceOf(b, 'BCN', address)
    const fee = await feeBetween(a, b)
    const amount = BigInt(user) * ONE
    const args = [tokenOf(a, 'BCN').tokenId, 'sandbox-b', address, amount, '0x', fee] as const
    const call = { address: a.its, abi: ABI, functionName: 'interchainTransfer', args } as const
    const request = await wallet.prepareTransactionRequest({ to: a.its, gas: 500_000n })
    return {
      user,
      address,
      before,
      amount,
      send: () => wallet.writeContract({ ...call, value: fee, gas: 500_000n, nonce: request.nonce }),
    }
  })
  const prepared = await Promise.all(sends)
  await postRpc(a.rpcUrl, 'evm_setIntervalMining', [1])
  const { client } = walletOf(a, 0)
  const start = await client.getBlockNumber()
  await waitFor(async () => (await client.getBlockNumber()) > start)
  const hashes = await Promise.all(prepared.map(({ send }) => send()))
  const receipts = await Promise.all(hashes.map((hash) => walletOf(a, 0).done(hash)))
  assert.equal(new Set(receipts.map(({ blockHash }) => blockHash)).size, 1)
  for (const receipt of receipts) await waitForStatus(idOf(receipt, CONTRACT_CALL), 'executed')
  await relayer.settle()
  for (const { address, before, amount } of prepared)
    assert.equal((await balanceOf(b, 'BCN', address)) - before, amount)
})
