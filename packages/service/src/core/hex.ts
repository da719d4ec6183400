import { z } from 'zod'

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
const HASH = /^0x[0-9a-f]{64}$/
const BARE_HASH = /^[0-9a-f]{64}$/
const HEX_BYTES = /^0x([0-9a-fA-F]{2})*$/

/** Whether a text is `0x` and 40 hex digits, of any case; its checksum is not looked at. */
export const isEvmAddress = (text: string): text is `0x${string}` => EVM_ADDRESS.test(text)

/** Whether a text is 32 bytes as `0x` and lower-case hex: the form of hashes and ids that are stored and compared. */
export const isHash = (text: string): text is `0x${string}` => HASH.test(text)

/** Whether a text is 32 bytes as lower-case hex without `0x`, as Stellar and Axelar write hashes. */
export const isBareHash = (text: string): boolean => BARE_HASH.test(text)

/** Whether a text is whole bytes as `0x` and hex of any case, none included. */
export const isHexBytes = (text: string): text is `0x${string}` => HEX_BYTES.test(text)

/** `0x` and 40 hex digits, of any case; its checksum is not looked at. */
export const EvmAddress = z.string().regex(EVM_ADDRESS, 'expected an EVM address: 0x and 40 hex digits')

/** 32 bytes as `0x` and lower-case hex. */
export const Hash = z.string().regex(HASH, 'expected 32 bytes as lower-case hex')

/** 32 bytes as lower-case hex without `0x`. */
export const BareHash = z.string().regex(BARE_HASH, 'expected 32 bytes as lower-case hex without 0x')

/** Whole bytes as `0x` and hex of any case, none included. */
export const HexBytes = z.string().regex(HEX_BYTES, 'expected bytes as hex')
