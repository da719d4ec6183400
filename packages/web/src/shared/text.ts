import { formatUnits } from '@openrfq/sdk'
import { muxedAccount } from './muxed-account.ts'

const MAX_SYMBOL = 16
/** The longest name of a chain, wallet or solver that is shown. */
export const MAX_NAME = 40
const SHOWN_DECIMALS = 8
const SHORT = { longest: 16, head: 8, tail: 6 }

/** Text from a token list or a chain, without control and direction characters, cut to a length. */
export const safeText = (text: string, most = MAX_SYMBOL): string => {
  const plain = text.replaceAll(/\p{C}/gu, '').trim()
  return plain.length > most ? `${plain.slice(0, most)}…` : plain === '' ? '?' : plain
}

/** An amount in whole tokens with grouped digits: exact, and cut after eight decimals (rounded down). */
export const amountTexts = (
  baseUnits: string,
  decimals: number,
): { readonly exact: string; readonly shown: string } => {
  const exact = formatUnits(BigInt(baseUnits), decimals)
  const [whole = '0', fraction = ''] = exact.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const cut = fraction.slice(0, SHOWN_DECIMALS).replace(/0+$/, '')
  const isCutToNothing = whole === '0' && cut === '' && /[1-9]/.test(fraction)
  return { exact, shown: isCutToNothing ? exact : cut === '' ? grouped : `${grouped}.${cut}` }
}

/** The two ends of an address or a hash. */
export const shortId = (id: string): string =>
  id.length <= SHORT.longest ? id : `${id.slice(0, SHORT.head)}…${id.slice(-SHORT.tail)}`

/** Seconds as `0:07`, `12:05` or `2:03:00`. */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const tail = `${rest}`.padStart(2, '0')
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${`${minutes}`.padStart(2, '0')}:${tail}`
}

/** Seconds in words, rounded: `20 seconds`, `15 minutes`. */
export const aboutText = (seconds: number): string => {
  const [count, unit] =
    seconds < 90
      ? [Math.round(seconds), 'second']
      : seconds < 5_400
        ? [Math.round(seconds / 60), 'minute']
        : [Math.round(seconds / 3_600), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** The page of a transaction in an explorer; undefined when the chain has none. */
export const transactionUrl = (explorerUrl: string | undefined, txHash: string): string | undefined =>
  below(explorerUrl, `tx/${encodeURIComponent(txHash)}`)

const ACCOUNT_PATHS: Readonly<Record<string, string>> = {
  evm: 'address',
  solana: 'address',
  stellar: 'account',
}

/** The page of an account in the explorer of its chain, for a muxed address of the account behind it; undefined when the chain has none. */
export const accountUrl = (
  explorerUrl: string | undefined,
  chainType: string | undefined,
  address: string,
): string | undefined => {
  const path = ACCOUNT_PATHS[chainType ?? '']
  return path === undefined
    ? undefined
    : below(explorerUrl, `${path}/${encodeURIComponent(muxedAccount(address)?.account ?? address)}`)
}

const below = (base: string | undefined, path: string): string | undefined => {
  if (base === undefined || !/^https?:/.test(base)) return undefined
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return url.href
}
