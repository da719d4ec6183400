import { findAssociatedAddress } from '@openrfq/contracts/solana'
import { type Address, address, none, type OptionOrNullable, some } from '@solana/kit'
import { AccountState, getMintEncoder, getTokenEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { addressBytes } from '../src/solana/address-bytes.ts'
import { ATTACKER, DEPOSITOR, type EscrowWorld, named, SOLVER } from './escrow-world.ts'

export const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const WRAPPED_SOL = address('So11111111111111111111111111111111111111112')

/** Freezes accounts of the mints. */
export const ISSUER = named('issuer')

/** A mint with its token program. */
export type EscrowToken = { readonly mint: Address; readonly program: Address }
export type TokenKind = 'SPL' | 'Token-2022' | 'wrapped SOL'

export const TOKENS: Readonly<Record<TokenKind, EscrowToken>> = {
  SPL: { mint: named('mint'), program: TOKEN_PROGRAM_ADDRESS },
  'Token-2022': { mint: named('mint of Token-2022'), program: TOKEN_2022 },
  'wrapped SOL': { mint: WRAPPED_SOL, program: TOKEN_PROGRAM_ADDRESS },
}

export const BALANCE = 10_000_000n
const DECIMALS = 6
/** What the associated token program adds to accounts of Token-2022: the type of account, and that its owner never changes. */
const IMMUTABLE_OWNER = [2, 7, 0, 0, 0]
const EXTENSIONS_START = 165

/** Writes a mint, of Token-2022 with extensions: their types with their contents. */
export const writeMint = (
  world: EscrowWorld,
  { mint, program }: EscrowToken,
  extensions: readonly (readonly [number, number])[] = [],
): void => {
  const plain = getMintEncoder().encode({
    mintAuthority: some(ISSUER),
    supply: 1_000_000_000_000n,
    decimals: DECIMALS,
    isInitialized: true,
    freezeAuthority: some(ISSUER),
  })
  const entries = extensions.flatMap(([type, length]) => [
    ...[type & 0xff, type >> 8, length & 0xff, length >> 8],
    ...Array<number>(length).fill(0),
  ])
  const bytes =
    extensions.length === 0
      ? [...plain]
      : [...plain, ...Array<number>(EXTENSIONS_START - plain.length).fill(0), 1, ...entries]
  world.write(mint, { lamports: world.rentOf(bytes.length), bytes: Uint8Array.from(bytes), owner: program })
}

/** What a token account says. */
type Holding = {
  readonly owner: Address
  readonly amount: bigint
  readonly state?: AccountState
  readonly closeAuthority?: OptionOrNullable<Address>
}

/** Writes a token account; one of wrapped SOL holds its amount in lamports. */
export const writeTokens = (
  world: EscrowWorld,
  token: EscrowToken,
  account: Address,
  { owner, amount, state = AccountState.Initialized, closeAuthority = none() }: Holding,
): void => {
  const isWrapped = token.mint === WRAPPED_SOL
  const suffix = token.program === TOKEN_2022 ? IMMUTABLE_OWNER : []
  const rent = world.rentOf(165 + suffix.length)
  const plain = getTokenEncoder().encode({
    mint: token.mint,
    owner,
    amount,
    delegate: none(),
    state,
    isNative: isWrapped ? some(rent) : none(),
    delegatedAmount: 0n,
    closeAuthority,
  })
  const lamports = rent + (isWrapped ? amount : 0n)
  world.write(account, { lamports, bytes: Uint8Array.from([...plain, ...suffix]), owner: token.program })
}

/** Every holder's associated account of every token. They are slow to find, and the same in every world. */
const HOLDERS = Promise.all(
  [DEPOSITOR, SOLVER, ATTACKER].flatMap((owner) =>
    Object.values(TOKENS).map(async (token) => ({
      owner,
      token,
      account: await findAssociatedAddress(owner, token),
    })),
  ),
)

/** Writes the mints, and gives everybody an associated account of each: depositor and attacker with tokens. */
export const fundTokens = async (world: EscrowWorld): Promise<void> => {
  for (const token of Object.values(TOKENS)) if (token.mint !== WRAPPED_SOL) writeMint(world, token)
  for (const { owner, token, account } of await HOLDERS)
    writeTokens(world, token, account, { owner, amount: owner === SOLVER ? 0n : BALANCE })
}

/** Freezes or thaws a token account as the issuer would. */
export const setState = (world: EscrowWorld, account: Address, state: AccountState): void => {
  const found = world.read(account)
  if (found === undefined) throw new Error(`no account ${account}`)
  const bytes = Uint8Array.from(found.bytes)
  bytes[108] = state
  world.write(account, { ...found, bytes })
}

/** Gives a token account to another owner. */
export const giveAway = (world: EscrowWorld, account: Address, owner: Address): void => {
  const found = world.read(account)
  if (found === undefined) throw new Error(`no account ${account}`)
  const bytes = Uint8Array.from(found.bytes)
  bytes.set(addressBytes(owner), 32)
  world.write(account, { ...found, bytes })
}

/** Removes an account. */
export const remove = (world: EscrowWorld, account: Address): void =>
  world.write(account, {
    lamports: 0n,
    bytes: new Uint8Array(),
    owner: address('11111111111111111111111111111111'),
  })
