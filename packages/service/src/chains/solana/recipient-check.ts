import { mulDivUp } from '../../core/amount.ts'
import type { Instant } from '../../core/instant.ts'
import type { UnpayableReason } from '../../core/offer.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { PaymentChain } from '../payment-chain.ts'
import { createAgreedPayable } from '../rpc/agreed-payable.ts'
import { expectResult } from '../rpc/expect-result.ts'
import type { RpcAsk } from '../rpc/rpc-members.ts'
import type { RpcPool } from '../rpc/rpc-pool.ts'
import { SOLANA_NATIVE_TOKEN } from './address.ts'
import { associatedTokenOf } from './associated-token.ts'
import { isOnCurve } from './curve.ts'
import { solanaKeyBytes } from './key-bytes.ts'
import { PROGRAMS, programOf, type SolanaMint } from './programs.ts'
import { type Account, Accounts, U64 } from './rpc-answers.ts'
import { parseTokenAccount } from './token-account.ts'

type Deps = {
  readonly pool: RpcPool
  readonly mints: readonly SolanaMint[]
  readonly now: () => Instant
  readonly deadlineMs: number
  /** How long a read account is cached, in milliseconds. */
  readonly rememberMs: number
}

type Standing = {
  readonly account: Account
  /** The associated token account; null for native SOL as well. */
  readonly holding: Account
  readonly rentLamports: bigint
}

const CACHED_RECIPIENTS = 10_000
const NO_BYTES = 0
/** What an account is charged for beside its data. Source: Solana's rent. */
const ACCOUNT_OVERHEAD_BYTES = 128n
/** An associated account of a Token-2022 mint without extensions has the extension that fixes its owner. */
const TOKEN_ACCOUNT_BYTES = { token: 165n, 'token-2022': 170n } as const

const notAWallet = (reason: string): UnpayableReason => ({ reasonCode: 'not_a_wallet', reason })

/** Why an account is not a wallet; the same for all tokens. */
const whyNoOwner = (account: Account): UnpayableReason | undefined => {
  if (account === null) return undefined
  if (account.executable) return notAWallet('the recipient is a program')
  if (account.owner === PROGRAMS.token || account.owner === PROGRAMS.token2022)
    return notAWallet('the recipient is a token account or a mint; name its owner instead')
  return account.owner === PROGRAMS.sysvar ? notAWallet('the recipient is a system variable') : undefined
}

const whyNotSol = (
  recipient: string,
  { account, rentLamports }: Standing,
  amount: bigint,
): UnpayableReason | undefined => {
  if (account !== null && (account.owner !== PROGRAMS.system || account.data.length > 0))
    return notAWallet('the recipient is an account that a program keeps its state in')
  if (account === null && !isOnCurve(solanaKeyBytes(recipient)))
    return notAWallet(
      'the recipient has no account yet, and its address is off the curve, so it has no private key',
    )
  const held = account?.lamports ?? 0n
  return held + amount < rentLamports
    ? {
        reasonCode: 'no_account',
        reason: `the recipient's account would hold ${held + amount} lamports, less than the ${rentLamports} it needs to exist`,
      }
    : undefined
}

const whyNotToken = (
  recipient: string,
  mint: SolanaMint,
  { holding }: Standing,
): UnpayableReason | undefined => {
  if (holding === null || holding.owner === PROGRAMS.system) return undefined
  const held = holding.owner === programOf(mint) ? parseTokenAccount(holding.data) : undefined
  if (held?.owner !== recipient || held.mint !== mint.address)
    return notAWallet("the recipient's associated token account is not the recipient's")
  return held.isFrozen
    ? { reasonCode: 'not_authorised', reason: "the recipient's token account is frozen" }
    : undefined
}

/** The rent of a token account, which is in proportion to the rent of an account without data; rounded up. */
const tokenAccountRent = ({ splProgram = 'token' }: SolanaMint, rentLamports: bigint): bigint =>
  mulDivUp(rentLamports, ACCOUNT_OVERHEAD_BYTES + TOKEN_ACCOUNT_BYTES[splProgram], ACCOUNT_OVERHEAD_BYTES)

type ReadStanding = (recipient: string, mint: SolanaMint | undefined) => Promise<Standing>

const readBy =
  (ask: RpcAsk): ReadStanding =>
  async (recipient, mint) => {
    const holding = mint === undefined ? [] : [associatedTokenOf(recipient, mint.address, programOf(mint))]
    const [accounts, rent] = await ask([
      {
        method: 'getMultipleAccounts',
        params: [[recipient, ...holding], { commitment: 'confirmed', encoding: 'base64' }],
      },
      { method: 'getMinimumBalanceForRentExemption', params: [NO_BYTES] },
    ])
    const [account = null, held = null] = expectResult(accounts, Accounts).value
    return { account, holding: held, rentLamports: expectResult(rent, U64) }
  }

/** Checks whether a recipient can receive an amount, and what opening its account costs, from accounts read at most a few seconds ago. */
export const createRecipientChecks = (
  deps: Deps,
): Pick<PaymentChain, 'whyNotPayable' | 'openingRent' | 'agreedWhyNotPayable'> => {
  const { pool, mints, now, deadlineMs, rememberMs } = deps
  const known = createTtlCache<string, Standing>({ now, maxAgeMs: rememberMs, limit: CACHED_RECIPIENTS })

  const recall: ReadStanding = async (recipient, mint) => {
    const key = `${recipient} ${mint?.address ?? SOLANA_NATIVE_TOKEN}`
    const found = known.get(key)
    if (found !== undefined) return found
    const standing = await pool.work((ask) => readBy(ask)(recipient, mint), deadlineMs)
    known.set(key, standing)
    return standing
  }

  const whyNot = async (
    read: ReadStanding,
    ...[recipient, token, amount]: Parameters<PaymentChain['whyNotPayable']>
  ): Promise<UnpayableReason | undefined> => {
    const mint = mints.find(({ address }) => address === token)
    if (token !== SOLANA_NATIVE_TOKEN && mint === undefined)
      return { reasonCode: 'unknown_token', reason: `unknown token ${token}` }
    const standing = await read(recipient, mint)
    const why = whyNoOwner(standing.account)
    if (why !== undefined) return why
    return mint === undefined
      ? whyNotSol(recipient, standing, amount)
      : whyNotToken(recipient, mint, standing)
  }

  return {
    whyNotPayable: (...asked) => whyNot(recall, ...asked),
    openingRent: async (recipient, token) => {
      const mint = mints.find(({ address }) => address === token)
      if (mint === undefined) return 0n
      const { holding, rentLamports } = await recall(recipient, mint)
      const isOpen = holding !== null && holding.owner !== PROGRAMS.system
      return isOpen ? 0n : tokenAccountRent(mint, rentLamports)
    },
    agreedWhyNotPayable: createAgreedPayable(
      { pool, now, deadlineMs, maxAgeMs: rememberMs },
      (ask, ...asked) => whyNot(readBy(ask), ...asked),
    ),
  }
}
