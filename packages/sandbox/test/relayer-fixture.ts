import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { dropBlock } from 'openrfq/test/drop-block.ts'
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
import { type RunningChains, startChains } from '../src/chains.ts'
import { GATEWAY_PLANS } from '../src/deploy/plan.ts'
import type { Hex, SandboxChain } from '../src/deployment-types.ts'
import { RELAYER, type SandboxKey, SIGNER_SET, USERS } from '../src/keys.ts'
import { createRelayer, type Relayer } from '../src/relayer/index.ts'
import { QUICK_BLOCK_MS } from './quick-blocks.ts'

/** The calls that tests make as users and as owners of contracts. */
export const USER_ABI = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function interchainTransfer(bytes32 tokenId, string destinationChain, bytes destinationAddress, uint256 amount, bytes metadata, uint256 gasValue) payable',
  'function sendToken(string destinationChain, string destinationAddress, string symbol, uint256 amount)',
  'function callContract(string destinationChain, string contractAddress, bytes payload)',
  'function callContractWithToken(string destinationChain, string contractAddress, bytes payload, string symbol, uint256 amount)',
  'function addNativeGas(bytes32 txHash, uint256 logIndex, address refundAddress) payable',
  'function setPauseStatus(bool paused)',
  'function tokenMintLimit(string symbol) view returns (uint256)',
])

const HexText = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))
const GmpRecord = z.object({
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
  is_invalid_contract_address: z.boolean(),
  is_invalid_destination_chain: z.boolean(),
})
export type GmpRecord = z.infer<typeof GmpRecord>
/** One whole token of 18 decimals. */
export const ONE = 10n ** 18n

const CONTRACT_CALL = '0x30ae6cc78c27e651745bf2ad08a11de83910ac1e347a52f7ac898c0fbef94dae'
const PATIENCE_MS = 120_000

/** Polls until there is a value; fails the test at the deadline. */
export const waitFor = async <Value>(read: () => Promise<Value | undefined | false>): Promise<Value> => {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 50) {
    const value = await read()
    if (value !== undefined && value !== false) return value
    await delay(50)
  }
  assert.fail(`nothing came within ${PATIENCE_MS} ms`)
}

/** The id of a transaction's first message. */
export const idOf = (receipt: TransactionReceipt): string =>
  `${receipt.transactionHash}-${receipt.logs.findIndex(({ topics }) => topics[0] === CONTRACT_CALL)}`

/** The transaction that sent a message. */
export const txHashOf = (messageId: string): Hex => HexText.parse(messageId.split('-')[0])

/** The id of a message's second hop. */
export const childOf = (message: GmpRecord): string => {
  const [childId] = message.executed?.childMessageIDs ?? []
  assert.ok(childId)
  return childId
}

/** A key's wallet on a chain; `done` waits for a transaction and asserts that it succeeded. */
export const walletOf = (chain: SandboxChain, key: SandboxKey | undefined) => {
  assert.ok(key)
  const transport = http(chain.rpcUrl, { timeout: 60_000 })
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

/** The deployment's token with this symbol on a chain. */
export const tokenOf = ({ deployment }: RunningChains, chain: SandboxChain, symbol: string) => {
  const token = deployment.tokens.find((one) => one.chainId === chain.chainId && one.symbol === symbol)
  assert.ok(token, `${symbol} on ${chain.axelarName}`)
  return { address: HexText.parse(token.address), tokenId: HexText.parse(token.its?.tokenId ?? '0x') }
}

/** Queries the relayer over HTTP. */
const questionsTo = (url: string) => {
  const ask = async (path: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.json()
  }
  const messageOf = async (messageId: string): Promise<GmpRecord | undefined> =>
    z.object({ data: z.array(GmpRecord) }).parse(await ask('/gmp/searchGMP', { messageId })).data[0]
  return {
    messageOf,
    waitForStatus: (messageId: string, status: string): Promise<GmpRecord> =>
      waitFor(async () => {
        const message = await messageOf(messageId)
        return message?.status === status && message
      }),
    feeBetween: async (source: SandboxChain, destination: SandboxChain): Promise<bigint> => {
      const pair = { sourceChain: source.axelarName, destinationChain: destination.axelarName }
      const answer = await ask('/gmp/estimateITSFee', { ...pair, event: 'InterchainTransfer' })
      return BigInt(z.string().parse(answer))
    },
  }
}

/** An interchain transfer to send: `user` is an index, `fee` defaults to the estimate. */
type Sending = {
  readonly from: SandboxChain
  readonly to: SandboxChain
  readonly symbol: string
  readonly amount: bigint
  readonly user: number
  readonly fee?: bigint
}

/** Running chains with a running relayer. */
export type Fixture = {
  readonly running: RunningChains
  readonly relayer: Relayer
  readonly url: string
  readonly questions: ReturnType<typeof questionsTo>
  readonly chainAt: (position: number) => SandboxChain
  readonly balanceOf: (chain: SandboxChain, symbol: string, owner: Hex) => Promise<bigint>
  /** Sends to the same user on the other chain. Resolves with the message id once it is mined. */
  readonly send: (sending: Sending) => Promise<string>
  readonly addGas: (chain: SandboxChain, message: GmpRecord, amount: bigint) => Promise<void>
  /** Reorganises the chain from the transaction's block on, however many blocks follow it. */
  readonly undo: (chain: SandboxChain, txHash: Hex) => Promise<void>
  readonly stop: () => Promise<void>
}

const sendOn =
  (running: RunningChains, questions: Fixture['questions']): Fixture['send'] =>
  async ({ from, to, symbol, amount, user, fee: givenFee }) => {
    const { wallet, address, done } = walletOf(from, USERS[user])
    const token = tokenOf(running, from, symbol)
    const fee = givenFee ?? (await questions.feeBetween(from, to))
    const approval = { ...token, abi: USER_ABI, functionName: 'approve', args: [from.its, amount] } as const
    await done(await wallet.writeContract(approval))
    const hash = await wallet.writeContract({
      address: from.its,
      abi: USER_ABI,
      functionName: 'interchainTransfer',
      args: [token.tokenId, to.axelarName, address, amount, '0x', fee],
      value: fee,
    })
    return idOf(await done(hash))
  }

const undoOn =
  ({ reorganise }: RunningChains): Fixture['undo'] =>
  async (chain, hash) => {
    const { client: reader } = walletOf(chain, USERS[0])
    const { blockNumber } = await reader.getTransactionReceipt({ hash })
    const drop = async (depth: number): Promise<void> => reorganise.get(chain.chainId)?.(depth)
    await dropBlock({ reader, reorganise: drop }, blockNumber)
  }

/** Starts the chains from their snapshot and a relayer with one confirmation. */
export const startFixture = async (now: () => number): Promise<Fixture> => {
  const log = (): void => undefined
  const running = await startChains({ log, now, blockMs: QUICK_BLOCK_MS })
  const relayer = createRelayer({
    chains: running.chains,
    tokens: running.deployment.tokens,
    assets: GATEWAY_PLANS.map(({ asset }) => asset),
    signerSet: SIGNER_SET,
    relayerKey: RELAYER.privateKey,
    log,
    now,
  })
  const { url } = await relayer.start().catch(async (cause) => {
    await running.stop()
    throw cause
  })
  const questions = questionsTo(url)
  return {
    running,
    relayer,
    url,
    questions,
    chainAt: (position) => {
      const chain = running.chains[position]
      assert.ok(chain)
      return chain
    },
    balanceOf: (chain, symbol, owner) =>
      walletOf(chain, USERS[0]).client.readContract({
        address: tokenOf(running, chain, symbol).address,
        abi: USER_ABI,
        functionName: 'balanceOf',
        args: [owner],
      }),
    send: sendOn(running, questions),
    addGas: async (chain, { call }, amount) => {
      const { wallet, address, done } = walletOf(chain, USERS[0])
      const args = [call.transactionHash, BigInt(call.logIndex), address] as const
      const target = { address: chain.gasService, abi: USER_ABI, functionName: 'addNativeGas' } as const
      await done(await wallet.writeContract({ ...target, args, value: amount }))
    },
    undo: undoOn(running),
    stop: async () => {
      await relayer.stop()
      await running.stop()
    },
  }
}
