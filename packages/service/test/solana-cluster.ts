import { type SolanaNode, startSolanaNode } from '@openrfq/sandbox/src/solana/index.ts'
import {
  address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import type { PaymentChain } from '../src/chains/payment-chain.ts'
import { SOLANA_NATIVE_TOKEN } from '../src/chains/solana/address.ts'
import { createSolanaChain } from '../src/chains/solana/index.ts'
import type { SolanaLimits } from '../src/chains/solana/limits.ts'
import { PROGRAMS, type SolanaMint } from '../src/chains/solana/programs.ts'
import type { SolanaTiming } from '../src/chains/solana/timing.ts'

/** A funded wallet of the cluster. */
export type ClusterWallet = {
  readonly signer: KeyPairSigner
  readonly secret: string
  readonly address: string
}

/** A cluster in this process whose blocks the test makes, with helpers. */
export type SolanaCluster = {
  readonly node: SolanaNode
  readonly wallets: readonly ClusterWallet[]
  /** USDC of the token program, and T22 of Token-2022. */
  readonly mints: readonly [SolanaMint, SolanaMint]
  /** Sends instructions as one transaction without preflight and returns its signature; makes no block. */
  readonly send: (
    payer: ClusterWallet,
    instructions: readonly Instruction[],
    lookupTables?: readonly string[],
  ) => Promise<string>
  /** A started client of the cluster or of other URLs; stopped with the cluster. */
  readonly connect: (options?: ConnectOptions) => Promise<PaymentChain>
  readonly stop: () => Promise<void>
}

type ConnectOptions = {
  readonly rpcUrls?: readonly string[]
  readonly chainId?: string
  readonly timing?: Partial<SolanaTiming>
  readonly limits?: Partial<SolanaLimits>
  readonly now?: () => number
  readonly lines?: string[]
}

/** The wallet of a secret, which signs. */
export const clusterWallet = async (secret: string): Promise<ClusterWallet> => {
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(secret))
  return { signer, secret, address: signer.address }
}

const mintsOf = ({ tokens }: SolanaNode): SolanaCluster['mints'] => {
  const [first, second] = tokens
    .filter(({ program }) => program !== null)
    .map(
      (token): SolanaMint => ({
        address: token.address,
        decimals: token.decimals,
        splProgram: token.program === PROGRAMS.token2022 ? 'token-2022' : 'token',
      }),
    )
  if (first === undefined || second === undefined) throw new Error('expected two mints')
  return [first, second]
}

/** Sends instructions as one transaction to the node at the URL. */
export const senderTo =
  (rpcUrl: string): SolanaCluster['send'] =>
  async (payer, instructions, lookupTables = []) => {
    const rpc = createSolanaRpc(rpcUrl)
    const { value: blockhash } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
    const tables = await fetchAddressesForLookupTables(
      lookupTables.map((table) => address(table)),
      rpc,
    )
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(payer.signer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(blockhash, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
      (whole) => compressTransactionMessageUsingAddressLookupTables(whole, tables),
    )
    const signed = await signTransactionMessageWithSigners(message)
    await rpc
      .sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64', skipPreflight: true })
      .send()
    return getSignatureFromTransaction(signed)
  }

/**
 * Starts a cluster that confirms a block with the next one and finalizes it after four. It makes a block every
 * `slotMs`, or only when asked to; its clock and those of its clients are `now`. The caller stops it.
 */
export const startSolanaCluster = async (
  slotMs?: number,
  now: () => number = Date.now,
): Promise<SolanaCluster> => {
  const node = await startSolanaNode({
    log: () => undefined,
    now,
    finalizedAfterSlots: 4,
    ...(slotMs === undefined ? { startPaused: true } : { slotMs }),
  })
  const mints = mintsOf(node)
  const clients: PaymentChain[] = []
  return {
    node,
    mints,
    wallets: await Promise.all(node.accounts.map(({ privateKey }) => clusterWallet(privateKey))),
    send: senderTo(node.rpcUrl),
    connect: async (options = {}) => {
      const paymentChain = createSolanaChain({
        chainId: options.chainId ?? node.chainId,
        rpcUrls: options.rpcUrls ?? [node.rpcUrl],
        // The service passes all tokens of the chain.
        mints: [{ address: SOLANA_NATIVE_TOKEN, decimals: 9 }, ...mints],
        now: options.now ?? now,
        log: (level, message, fields) => options.lines?.push(`${level} ${message} ${JSON.stringify(fields)}`),
        timing: { pollMs: 20, asideMs: 50, ...options.timing },
        limits: options.limits ?? {},
      })
      clients.push(paymentChain)
      await paymentChain.start()
      return paymentChain
    },
    stop: async () => {
      for (const client of clients) await client.stop()
      await node.stop()
    },
  }
}
