import { RfqError } from '@openrfq/sdk'
import {
  type Address,
  appendTransactionMessageInstructions,
  blockhash,
  createTransactionMessage,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getSetComputeUnitLimitInstruction,
} from '@solana-program/compute-budget'
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
} from '@solana-program/token'
import { MAX_BLOCKHASH_AGE } from './blocks.ts'
import { FAUCET, type SolanaToken, TOKENS } from './genesis.ts'
import { signerOf } from './keys.ts'
import type { SimulatedSolana } from './simulated-solana.ts'
import { readMint } from './token-account.ts'
import { decodeTransaction } from './transaction.ts'
import type { TransactionError } from './transaction-error.ts'

/** Pays tokens and SOL by real transactions. */
export type SolanaFaucet = {
  /**
   * Pays base units of a token to a wallet, creating its associated token account when missing, and waits for the
   * block. Throws RfqError AMOUNT_OUT_OF_RANGE or INVALID_REQUEST when the transfer fails, and Error when the token is
   * unknown or no block includes the transfer within 30 seconds.
   */
  readonly give: (token: string, address: Address, amount: bigint) => Promise<void>
  /** Sends lamports. Returns the signature without waiting for a block. */
  readonly send: (address: Address, lamports: bigint) => Promise<string>
}

const DEADLINE_MS = 30_000
/** The rent of an account without data: 128 bytes of overhead at 6,960 lamports. */
const RENT_LAMPORTS = 890_880n
/** The fee of a transaction with one signature. */
const FEE_LAMPORTS = 5_000n
const MAX_UINT64 = (1n << 64n) - 1n
/** Base compute limit; each transaction adds a different amount, so that no two are identical. */
const BASE_UNITS = 100_000
const UNIT_LIMITS = 100_000

const giveToken = async (
  { address: mint, program }: SolanaToken,
  faucet: KeyPairSigner,
  owner: Address,
  amount: bigint,
): Promise<readonly Instruction[]> => {
  if (program === null) return [getTransferSolInstruction({ source: faucet, destination: owner, amount })]
  const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram: program })
  return [
    getCreateAssociatedTokenIdempotentInstruction({ payer: faucet, ata, owner, mint, tokenProgram: program }),
    getMintToInstruction({ mint, token: ata, mintAuthority: faucet, amount }, { programAddress: program }),
  ]
}

/** The programs of a payment in SOL, which its transaction cannot also pay. */
const INVOKED: readonly Address[] = [SYSTEM_PROGRAM_ADDRESS, COMPUTE_BUDGET_PROGRAM_ADDRESS]

/** What the faucet can pay in one transaction: its lamports above fee and rent, or what may still be minted of a token. */
const maximumOf = (cluster: SimulatedSolana, { address: mint, program }: SolanaToken): bigint => {
  const read = (account: Address) => cluster.readAt(cluster.blocks.at('processed'), account)
  if (program !== null) return MAX_UINT64 - (readMint(read(mint))?.supply ?? MAX_UINT64)
  const spare = (read(FAUCET.address)?.lamports ?? 0n) - FEE_LAMPORTS - RENT_LAMPORTS
  return spare > 0n ? spare : 0n
}

const aboveMaximum = (maximum: bigint): RfqError =>
  new RfqError('AMOUNT_OUT_OF_RANGE', `the faucet gives ${maximum} base units at most`, {
    maximum: maximum.toString(),
  })

/** Why a payment failed: below the rent of a new account, more than the faucet has, or to an account that takes none. */
const refusal = (error: TransactionError, txHash: string, maximum: bigint): RfqError => {
  const text = JSON.stringify(error)
  if (text.includes('InsufficientFundsForRent'))
    return new RfqError('AMOUNT_OUT_OF_RANGE', `a new account needs at least ${RENT_LAMPORTS} lamports`, {
      minimum: RENT_LAMPORTS.toString(),
    })
  if (text.includes('"Custom"')) return aboveMaximum(maximum)
  return new RfqError(
    'INVALID_REQUEST',
    `address cannot receive the token: its transfer fails with ${text}`,
    {
      field: 'address',
      txHash,
    },
  )
}

const waitUntilRecorded = (cluster: SimulatedSolana, token: SolanaToken, signature: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = cluster.subscribe(() => {
      const landed = cluster.history.find(signature)
      if (landed === undefined) return
      settle()
      if (landed.execution.error === null) resolve()
      else reject(refusal(landed.execution.error, signature, maximumOf(cluster, token)))
    })
    const deadline = setTimeout(() => {
      settle()
      reject(new Error(`no block recorded the faucet's transaction ${signature} in ${DEADLINE_MS} ms`))
    }, DEADLINE_MS)
    const settle = (): void => {
      clearTimeout(deadline)
      end()
    }
  })

/** Starts the chain's faucet. */
export const createSolanaFaucet = async (cluster: SimulatedSolana): Promise<SolanaFaucet> => {
  const faucet = await signerOf(FAUCET)
  let count = 0
  const submit = async (instructions: readonly Instruction[]): Promise<string> => {
    const tip = cluster.blocks.at('processed')
    const lastValidBlockHeight = BigInt(tip.height + MAX_BLOCKHASH_AGE)
    const units = BASE_UNITS + (count++ % UNIT_LIMITS)
    const signed = await signTransactionMessageWithSigners(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(faucet, message),
        (message) =>
          setTransactionMessageLifetimeUsingBlockhash(
            { blockhash: blockhash(tip.hash), lastValidBlockHeight },
            message,
          ),
        (message) =>
          appendTransactionMessageInstructions(
            [getSetComputeUnitLimitInstruction({ units }), ...instructions],
            message,
          ),
      ),
    )
    const transaction = decodeTransaction(Uint8Array.from(getTransactionEncoder().encode(signed)))
    cluster.submit(transaction)
    return transaction.signature
  }
  return {
    give: async (tokenAddress, owner, amount) => {
      const token = TOKENS.find(({ address }) => address === tokenAddress)
      if (token === undefined) throw new Error(`${tokenAddress} is not a token of the sandbox's Solana`)
      if (token.program === null && INVOKED.includes(owner))
        throw new RfqError('INVALID_REQUEST', `address: ${owner} is a program; expected a wallet`, {
          field: 'address',
        })
      const maximum = maximumOf(cluster, token)
      if (amount > maximum) throw aboveMaximum(maximum)
      await waitUntilRecorded(cluster, token, await submit(await giveToken(token, faucet, owner, amount)))
    },
    send: (address, lamports) =>
      submit([getTransferSolInstruction({ source: faucet, destination: address, amount: lamports })]),
  }
}
