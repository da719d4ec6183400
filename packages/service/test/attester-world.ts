import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandboxAttester } from '@openrfq/sandbox/src/attester-process.ts'
import { startSandbox } from '@openrfq/sandbox/src/index.ts'
import { ATTESTER, SOLVERS, USERS } from '@openrfq/sandbox/src/keys.ts'
import { rolesApart } from '@openrfq/sandbox/src/role-process.ts'
import { FIRST_SLOT } from '@openrfq/sandbox/src/solana/blocks.ts'
import { solanaKey } from '@openrfq/sandbox/src/solana/keys.ts'
import { sandboxKey } from '@openrfq/sandbox/src/stellar/keys.ts'
import {
  address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import { Asset, Keypair, Memo, Operation, rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { createPublicClient, createWalletClient, defineChain, type Hex, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { SOLANA_NATIVE_TOKEN } from '../src/chains/solana/address.ts'
import { PROGRAMS } from '../src/chains/solana/programs.ts'
import { muxedAddress } from '../src/chains/stellar/muxed-account.ts'
import { baseUnits } from '../src/core/amount.ts'
import { IntentOrder } from '../src/core/intent-order.ts'
import { Network } from '../src/core/network.ts'
import { claimText } from '../src/intents/settlers/fill-claim.ts'
import { openCall, orderIdOf } from '../src/intents/settlers/settler-contract.ts'
import type { Log } from '../src/lib/log.ts'
import { until } from './eventually.ts'

const ORIGIN = 'eip155:31337'
const ENTRY = join(import.meta.dirname, '../src/cli/rfq.ts')
const PATIENCE_MS = 300_000
const CLAIM_MS = 250
const HAND_OVER_MS = 30_000
const STELLAR_UNIT = 10_000_000n
const ABI = parseAbi([
  'function record(bytes32 orderId) view returns (uint8 kind, bytes32 repayTo)',
  'event Released(bytes32 indexed orderId, address indexed payee, address to, uint256 amount)',
])
const VAULT_SECRETS = { 'stellar:sandbox': sandboxKey('cosigner').privateKey }
const STATUSES = ['none', 'open', 'refunded', 'released']

// CAST: every text here begins with 0x.
const hex = (text: string): Hex => text as Hex
const quiet = (): void => undefined

/** The output of an order on a payment chain. */
type Wanted = Pick<IntentOrder, 'destinationChain' | 'outputToken' | 'recipient' | 'filler'> & {
  readonly outputAmount: bigint
}

/** An opened order. */
type OpenedOrder = { readonly orderId: string; readonly order: IntentOrder }

/** The origin chain, accessed through viem. */
const createOrigin = (network: Network) => {
  const chain = network.chains.find(({ chainId }) => chainId === ORIGIN)
  const rpcUrl = chain?.rpcUrls[0]
  const [user, solver] = [USERS[0], network.intent?.solvers[0]]
  assert.ok(
    chain?.attested !== undefined && rpcUrl !== undefined && user !== undefined && solver !== undefined,
  )
  const { settler } = chain.attested
  const transport = http(rpcUrl, { timeout: 60_000 })
  const reader = createPublicClient({ transport, cacheTime: 0, pollingInterval: 100 })
  const wallet = createWalletClient({
    account: privateKeyToAccount(user.privateKey),
    chain: defineChain({
      id: 31_337,
      name: 'sandbox',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    transport,
  })
  const open = async ({ outputAmount, ...wanted }: Wanted): Promise<OpenedOrder> => {
    const { timestamp } = await reader.getBlock()
    const openDeadline = Number(timestamp) + 600
    const order: IntentOrder = {
      ...wanted,
      outputAmount: baseUnits(outputAmount),
      depositor: user.address,
      salt: `0x${randomBytes(32).toString('hex')}`,
      originChain: ORIGIN,
      originSettler: settler,
      destinationSettler: settlerOf(network, wanted.destinationChain),
      openDeadline,
      fillDeadline: openDeadline,
      refundAfter: openDeadline + 600,
      inputToken: '0x0000000000000000000000000000000000000000',
      inputAmount: baseUnits(10n ** 15n),
      solver: solver.address,
      attester: ATTESTER.address,
    }
    const { data, value } = openCall(order)
    const hash = await wallet.sendTransaction({ to: hex(settler), data: hex(data), value })
    const { status } = await reader.waitForTransactionReceipt({ hash, timeout: PATIENCE_MS })
    assert.equal(status, 'success')
    return { orderId: orderIdOf(order), order }
  }
  return {
    open,
    statusOf: async ({ orderId }: OpenedOrder): Promise<string | undefined> => {
      const read = {
        address: hex(settler),
        abi: ABI,
        functionName: 'record',
        args: [hex(orderId)],
      } as const
      const [kind] = await reader.readContract(read)
      return STATUSES[kind]
    },
    releasesOf: async ({ orderId }: OpenedOrder): Promise<number> => {
      const args = { orderId: hex(orderId) }
      const query = { address: hex(settler), abi: ABI, eventName: 'Released', args, fromBlock: 0n } as const
      return (await reader.getContractEvents(query)).length
    },
    attesterTransactions: () => reader.getTransactionCount({ address: ATTESTER.address }),
    solverBalance: () => reader.getBalance({ address: hex(solver.address) }),
  }
}

const chainOf = (network: Network, chainType: 'solana' | 'stellar') => {
  const chain = network.chains.find((candidate) => candidate.chainType === chainType)
  assert.ok(chain !== undefined)
  return { chain, rpcUrl: chain.rpcUrls[0] ?? '' }
}

const settlerOf = (network: Network, chainId: string): string => {
  const settler = network.chains.find((chain) => chain.chainId === chainId)?.attested?.settler
  assert.ok(settler !== undefined)
  return settler
}

/** Stellar, accessed through its SDK: the first solver pays XLM to a muxed recipient. */
const createStellar = (network: Network) => {
  const { chain, rpcUrl } = chainOf(network, 'stellar')
  const server = new rpc.Server(rpcUrl, { allowHttp: true })
  const filler = Keypair.fromSecret(sandboxKey('solver 0').privateKey)
  const recipient = muxedAddress(sandboxKey('user 3').address, 77n)
  const wanted: Wanted = {
    destinationChain: chain.chainId,
    outputToken: Asset.native().contractId(chain.passphrase ?? ''),
    outputAmount: 3n * STELLAR_UNIT,
    recipient,
    filler: filler.publicKey(),
  }
  const pay = async ({ orderId }: OpenedOrder, stroops: bigint): Promise<string> => {
    const account = await server.getAccount(filler.publicKey())
    const amount = `${stroops / STELLAR_UNIT}.${(stroops % STELLAR_UNIT).toString().padStart(7, '0')}`
    const transaction = new TransactionBuilder(account, {
      fee: '1000',
      networkPassphrase: chain.passphrase ?? '',
      memo: Memo.hash(orderId.slice(2)),
    })
      .addOperation(Operation.payment({ destination: recipient, asset: Asset.native(), amount }))
      .setTimeout(120)
      .build()
    transaction.sign(filler)
    const { hash } = await server.sendTransaction(transaction)
    await until(async () => (await server.getTransaction(hash)).status === 'SUCCESS')
    return hash
  }
  return { wanted, pay }
}

/** Solana, accessed through kit: the first solver pays SOL. */
const createSolana = (network: Network) => {
  const { chain, rpcUrl } = chainOf(network, 'solana')
  const node = createSolanaRpc(rpcUrl)
  const key = solanaKey('solver 0')
  const recipient = solanaKey('user 3').address
  const wanted: Wanted = {
    destinationChain: chain.chainId,
    outputToken: SOLANA_NATIVE_TOKEN,
    outputAmount: 40_000_000n,
    recipient,
    filler: key.address,
  }
  const pay = async ({ orderId }: OpenedOrder, amount: bigint): Promise<string> => {
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(key.privateKey))
    const { value: blockhash } = await node.getLatestBlockhash().send()
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(signer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(blockhash, paid),
      (timed) =>
        appendTransactionMessageInstructions(
          [
            getTransferSolInstruction({ source: signer, destination: address(recipient), amount }),
            getAddMemoInstruction({ memo: orderId }, { programAddress: address(PROGRAMS.memo) }),
          ],
          timed,
        ),
    )
    const wire = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
    return node.sendTransaction(wire, { encoding: 'base64' }).send()
  }
  return { wanted, pay }
}

/** Hands fills over to the running attester again and again, as solvers do. */
const createHandOver = (portOf: () => number | undefined) => {
  const [solver] = SOLVERS
  assert.ok(solver !== undefined)
  const account = privateKeyToAccount(solver.privateKey)
  const claims: string[] = []
  const answers = new Map<string, string>()
  const post = async (body: string): Promise<void> => {
    const url = `http://127.0.0.1:${portOf()}/v1/attestations`
    try {
      const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(HAND_OVER_MS) })
      answers.set(body, await response.text())
    } catch {
      // The attester is not running.
    }
  }
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= Promise.all(claims.map(post)).then(() => {
      running = undefined
    })
  }, CLAIM_MS)
  return {
    add: async ({ orderId, order }: OpenedOrder, transaction: string): Promise<void> => {
      const signature = await account.signMessage({ message: claimText(orderId, transaction) })
      claims.push(JSON.stringify({ order: IntentOrder.encode(order), transaction, signature }))
    },
    /** The newest answers to the claims of an order. */
    answersTo: ({ order }: OpenedOrder): readonly string[] =>
      claims.flatMap((claim) => (claim.includes(order.salt) ? (answers.get(claim) ?? []) : [])),
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await running
    },
  }
}

/** The attester as a child process, with one data directory over its lives. */
const createProcess = (network: unknown, directory: string) => {
  const path = join(directory, 'attester.json')
  const { chains } = Network.parse(network)
  const startAfter = Object.fromEntries(
    chains.map(({ chainId, chainType }) => [chainId, chainType === 'solana' ? FIRST_SLOT : 0]),
  )
  writeFileSync(
    path,
    JSON.stringify({
      ...{ network, startAfter, listen: { port: 0 }, vaultSecrets: VAULT_SECRETS },
      dataDirectory: join(directory, 'data'),
    }),
  )
  let child: ChildProcess | undefined
  let said = ''
  let saidBefore = 0
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child === undefined || !isRunning()) return child?.exitCode ?? null
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
    return child.exitCode
  }
  return {
    dataDirectory: join(directory, 'data'),
    /** Where the running process takes claims; undefined before it does. */
    port: (): number | undefined => {
      const port = /attester_started.*port=(\d+)/.exec(said.slice(saidBefore))?.[1]
      return port === undefined ? undefined : Number(port)
    },
    said: () => said,
    /** The standard error of the running process. */
    saidNow: () => said.slice(saidBefore),
    isRunning,
    start: (): void => {
      const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
      const env = { ...inherited, RFQ_ATTESTER_KEY: ATTESTER.privateKey }
      const words = [ENTRY, 'attester', '--config', path]
      const started = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text
        })
      child = started
      saidBefore = said.length
    },
    end,
  }
}

type SandboxNetwork = Awaited<ReturnType<typeof startSandbox>>['network']

/**
 * The sandbox's chains, an attester that is not started yet, and a solver whose payments the test makes. `asSeen` is the
 * network as only the attester sees it.
 */
export const startAttesterWorld = async (
  asSeen: (network: SandboxNetwork) => Promise<SandboxNetwork> = (network) => Promise.resolve(network),
) => {
  const sandbox = await startSandbox({ log: quiet, now: Date.now, endpointSeed: undefined })
  const directory = mkdtempSync(join(tmpdir(), 'openrfq-attester-'))
  const network = Network.parse(sandbox.network)
  const attester = createProcess(await asSeen(sandbox.network), directory)
  const handOver = createHandOver(attester.port)
  return {
    origin: createOrigin(network),
    stellar: createStellar(network),
    solana: createSolana(network),
    attester,
    handOver,
    /** The attester as the sandbox configures it, not started; `startAfter` is the configuration's. */
    ownAttester: (startAfter: Readonly<Record<string, number>>, log: Log) =>
      createSandboxAttester({
        ...{ network: sandbox.network, startAfter, vaultSecrets: VAULT_SECRETS, log },
        onPort: () => undefined,
        roles: rolesApart,
      }),
    stop: async (): Promise<void> => {
      await handOver.stop()
      await attester.end('SIGKILL')
      await sandbox.stop()
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
