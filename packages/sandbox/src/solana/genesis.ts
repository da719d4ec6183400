import { readFileSync } from 'node:fs'
import { type Address, address, none, some } from '@solana/kit'
import {
  AccountState,
  findAssociatedTokenPda,
  getMintEncoder,
  getTokenEncoder,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { type SolanaKey, solanaKey } from './keys.ts'
import type { Vm } from './vm.ts'

/** A token of the simulated chain; SOL has the all-zero address and no program. */
export type SolanaToken = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  /** The token program of the mint; null for SOL. */
  readonly program: Address | null
}

const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const SYSTEM_PROGRAM = address('11111111111111111111111111111111')

/** The interchain token of the chain; on EVM chains it has 18 decimals. */
export const INTERCHAIN_TOKEN = {
  address: solanaKey('mint HBR').address,
  symbol: 'HBR',
  name: 'Harbour (sandbox)',
  decimals: 6,
  program: TOKEN_PROGRAM_ADDRESS,
} as const satisfies SolanaToken

/** What the token service holds of the interchain token at the beginning: a million. */
export const LOCKED_UNITS = 1_000_000_000_000n

/** SOL, and the mints that exist at genesis. */
export const TOKENS: readonly SolanaToken[] = [
  { address: SYSTEM_PROGRAM, symbol: 'SOL', name: 'Solana', decimals: 9, program: null },
  {
    address: solanaKey('mint USDC').address,
    symbol: 'USDC',
    name: 'USD Coin (sandbox)',
    decimals: 6,
    program: TOKEN_PROGRAM_ADDRESS,
  },
  {
    address: solanaKey('mint T22').address,
    symbol: 'T22',
    name: 'Token-2022 (sandbox)',
    decimals: 8,
    program: TOKEN_2022_PROGRAM,
  },
  INTERCHAIN_TOKEN,
]

/** Ten accounts for people. */
export const USERS: readonly SolanaKey[] = Array.from({ length: 10 }, (_, index) =>
  solanaKey(`user ${index}`),
)

/** Holds the faucet's SOL and is the mint authority of every token. */
export const FAUCET: SolanaKey = solanaKey('faucet')

/** The escrow program of @openrfq/contracts. */
export const ESCROW_PROGRAM: Address = solanaKey('escrow program').address

const LAMPORTS_PER_SOL = 1_000_000_000n
const WALLET_LAMPORTS = 10_000n * LAMPORTS_PER_SOL
const FAUCET_LAMPORTS = 500_000_000n * LAMPORTS_PER_SOL
const WALLET_WHOLE_TOKENS = 1_000_000n

/** The extension that the ATA program adds to every Token-2022 account: account type and immutable owner. */
const IMMUTABLE_OWNER_SUFFIX = [2, 7, 0, 0, 0]

const createAccount = (vm: Vm, target: Address, owner: Address, bytes: Uint8Array, lamports?: bigint): void =>
  vm.write(target, {
    owner,
    bytes,
    executable: false,
    lamports: lamports ?? vm.rentLamports(bytes.length),
  })

const createMint = (vm: Vm, token: SolanaToken, program: Address, supply: bigint): void => {
  const bytes = getMintEncoder().encode({
    mintAuthority: some(FAUCET.address),
    supply,
    decimals: token.decimals,
    isInitialized: true,
    freezeAuthority: none(),
  })
  createAccount(vm, token.address, program, Uint8Array.from(bytes))
}

/** Opens an owner's associated token account with an amount. */
export const createHolding = async (
  vm: Vm,
  token: SolanaToken,
  program: Address,
  owner: Address,
  amount: bigint,
): Promise<void> => {
  const [target] = await findAssociatedTokenPda({ owner, mint: token.address, tokenProgram: program })
  const bytes = getTokenEncoder().encode({
    mint: token.address,
    owner,
    amount,
    delegate: none(),
    state: AccountState.Initialized,
    isNative: none(),
    delegatedAmount: 0n,
    closeAuthority: none(),
  })
  const suffix = program === TOKEN_2022_PROGRAM ? IMMUTABLE_OWNER_SUFFIX : []
  createAccount(vm, target, program, Uint8Array.from([...bytes, ...suffix]))
}

/**
 * Writes the genesis accounts into an empty VM: the escrow program, the faucet, the mints, and wallets with 10,000 SOL and a
 * million of each token.
 */
export const writeGenesis = async (vm: Vm, wallets: readonly Address[]): Promise<void> => {
  vm.addProgram(
    ESCROW_PROGRAM,
    readFileSync(new URL(import.meta.resolve('@openrfq/contracts/solana/escrow.so'))),
  )
  for (const wallet of wallets) createAccount(vm, wallet, SYSTEM_PROGRAM, new Uint8Array(), WALLET_LAMPORTS)
  createAccount(vm, FAUCET.address, SYSTEM_PROGRAM, new Uint8Array(), FAUCET_LAMPORTS)
  for (const token of TOKENS) {
    if (token.program === null) continue
    const amount = WALLET_WHOLE_TOKENS * 10n ** BigInt(token.decimals)
    const locked = token === INTERCHAIN_TOKEN ? LOCKED_UNITS : 0n
    createMint(vm, token, token.program, amount * BigInt(wallets.length) + locked)
    for (const wallet of wallets) await createHolding(vm, token, token.program, wallet, amount)
  }
}
