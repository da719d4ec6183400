import type { OpeningMethod } from '@openrfq/sdk'
import { bytes32Word, uintWord } from '../../chains/evm/abi-words.ts'
import type { IntentOrder, OrderId } from '../../core/intent-order.ts'

const SPLIT_DIGITS = 2 + 2 * 65

/** A key's signature as contracts take it: some wallets end it with 0 or 1 where contracts expect 27 or 28. */
const canonical = (signature: string): string => {
  const digits = signature.slice(2).toLowerCase()
  const last = Number.parseInt(digits.slice(-2), 16)
  return signature.length === SPLIT_DIGITS && last < 2
    ? digits.slice(0, -2) + (last + 27).toString(16)
    : digits
}

type Signed = {
  readonly order: Pick<IntentOrder, 'inputAmount' | 'openDeadline'>
  readonly orderId: OrderId
  /** `0x` hex, in the order of what is signed. */
  readonly signatures: readonly string[]
}

const KINDS = {
  allowance: '00',
  erc3009: '01',
  permit2: '02',
  erc2612: '03',
} as const satisfies Record<OpeningMethod, string>

/** The signature that binds the order: the last one. */
const bindingOf = ({ signatures }: Signed): string => canonical(signatures.at(-1) ?? '0x')

const CONTENT = {
  allowance: bindingOf,
  erc3009: bindingOf,
  permit2: (signed) => bytes32Word(signed.orderId) + bindingOf(signed),
  erc2612: (signed) =>
    uintWord(signed.order.inputAmount) +
    uintWord(BigInt(signed.order.openDeadline)) +
    canonical(signed.signatures[0] ?? '0x') +
    bindingOf(signed),
} as const satisfies Record<OpeningMethod, (signed: Signed) => string>

/** The permission that a settler takes, as `0x` hex. Source: contracts/settlers/Permissions.sol. */
export const permissionOf = (method: OpeningMethod, signed: Signed): string =>
  `0x${KINDS[method]}${CONTENT[method](signed)}`
