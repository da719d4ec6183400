import { type ActionOf, actionsOf } from '../execute/checked-quote.ts'
import type { StartedTransfer } from '../execute/execution.ts'
import { ExecutionError } from '../execute/execution-error.ts'
import type { SolanaInstructions } from '../wire/action.ts'
import type { Quote } from '../wire/quote.ts'
import { executeSolanaQuote, type SolanaExecution } from './execute-solana-quote.ts'

type Instruction = SolanaInstructions['instructions'][number]
type Key = Instruction['keys'][number]

/** Base64 of the eight bytes with which `open`, `refund` and `close` of the escrow program begin. */
const nameOf = (name: string): string => btoa(name.padEnd(8, '\0'))

const OPEN = 'open'
/** Accounts of `open` for SOL; one for tokens has five more. Source: contracts/solana/README.md. */
const SOL_KEYS = 4
const TOKEN_KEYS = 9
/** The solver is the eighth of the words after the name. */
const SOLVER_AT = 8 + 7 * 32
const KEY_BYTES = 32
const NEVER = '9999-12-31T23:59:59Z'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 of some bytes. */
const encodeBase58 = (bytes: readonly number[]): string => {
  let value = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let text = ''
  while (value > 0n) {
    text = `${ALPHABET[Number(value % 58n)]}${text}`
    value /= 58n
  }
  const zeroes = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeroes < 0 ? bytes.length : zeroes) + text
}

const bytesOf = (base64: string): readonly number[] => [...atob(base64)].map((char) => char.charCodeAt(0))

const readonly = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: false })
const writable = (pubkey: string): Key => ({ pubkey, isSigner: false, isWritable: true })

/** The instruction of a quote that opens its order at the escrow program. */
const openingOf = (actions: readonly ActionOf<'solana_instructions'>[]): Instruction | undefined =>
  actions
    .flatMap(({ payload }) => payload.instructions)
    .find(
      ({ data, keys }) =>
        data.startsWith(nameOf(OPEN).slice(0, 10)) &&
        (keys.length === SOL_KEYS || keys.length === TOKEN_KEYS),
    )

/**
 * The instructions that refund a deposit from Solana and close its order's account, after the `refundAfter` of an
 * unfilled order. They need no service, no solver and no signature but the depositor's, who gets the deposit and the rent
 * back; the accounts come from the quote alone. Throws ExecutionError `unsupported` for a quote that opens no such order.
 * @example
 * const instructionsOf = (quote: Quote) => solanaRefundOf(quote).instructions
 */
export const solanaRefundOf = (quote: Quote): SolanaInstructions => {
  const opening = openingOf(actionsOf(quote, 'solana_instructions'))
  const [depositor, , order] = opening?.keys ?? []
  if (opening === undefined || depositor === undefined || order === undefined)
    throw new ExecutionError('unsupported', `quote ${quote.quoteId} opens no order at the escrow program`)
  const { programId, data } = opening
  const solver = encodeBase58(bytesOf(data).slice(SOLVER_AT, SOLVER_AT + KEY_BYTES))
  const [system, source, vault, mint, tokenProgram, associatedTokenProgram] = opening.keys.slice(3)
  const tokens =
    source === undefined ||
    vault === undefined ||
    mint === undefined ||
    tokenProgram === undefined ||
    associatedTokenProgram === undefined ||
    system === undefined
      ? []
      : [
          writable(vault.pubkey),
          writable(source.pubkey),
          readonly(mint.pubkey),
          readonly(tokenProgram.pubkey),
          { pubkey: depositor.pubkey, isSigner: true, isWritable: true },
          readonly(associatedTokenProgram.pubkey),
          readonly(system.pubkey),
        ]
  return {
    type: 'solana_instructions',
    instructions: [
      {
        programId,
        keys: [writable(order.pubkey), writable(depositor.pubkey), readonly(solver), ...tokens],
        data: nameOf('refund'),
      },
      {
        programId,
        keys: [writable(order.pubkey), writable(depositor.pubkey)],
        data: nameOf('close'),
      },
    ],
    addressLookupTableAddresses: [],
  }
}

/**
 * Sends the refund of `solanaRefundOf`, signed by the depositor's wallet, and resolves when it is confirmed. It needs no
 * service. Throws ExecutionError: `refused` while the program does not refund the order.
 * @example
 * const takeBack = (quote: Quote, wallet: SolanaWallet) => refundSolanaQuote({ ...wallet, quote })
 */
export const refundSolanaQuote = ({ quote, ...execution }: SolanaExecution): Promise<StartedTransfer> => {
  const payload = solanaRefundOf(quote)
  const { chain } = quote.input
  const action = {
    id: 'refund',
    label: 'Take the deposit back',
    type: 'transaction',
    chain,
    payload,
  } as const
  return executeSolanaQuote({
    ...execution,
    quote: { ...quote, actions: [action], validity: { ...quote.validity, quoteExpiresAt: NEVER } },
  })
}
