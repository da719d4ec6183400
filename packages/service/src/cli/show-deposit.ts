import type { Action, Quote } from '@openrfq/sdk'
import type { StellarAssets } from '@openrfq/sdk/stellar'
import { findStellarAsset, stellarPaymentUri } from '@openrfq/sdk/stellar'
import { qrLines } from './qr-code.ts'
import { fields } from './table.ts'
import type { Terminal } from './terminal.ts'

type Deposit = Extract<Action['payload'], { type: 'deposit_address' }>

/** Whether a quote is executed by a plain payment to an address. */
export const hasDepositAddress = ({ actions }: Quote): boolean =>
  actions.some(({ payload }) => payload.type === 'deposit_address')

/**
 * Formats a quote's deposit addresses, each with the link for wallets (SEP-7), and that link as a QR code if
 * `withCode`. There is no link without the network or the asset's name.
 */
export const depositLines = async (
  quote: Quote,
  network: StellarAssets | undefined,
  {
    terminal,
    withCode,
  }: { readonly terminal: Pick<Terminal, 'paint' | 'columns'>; readonly withCode: boolean },
): Promise<readonly string[]> => {
  const lines: string[] = []
  for (const { payload } of quote.actions) {
    if (payload.type !== 'deposit_address') continue
    const uri = await linkOf(payload, network)
    lines.push(
      ...fields([
        ['  deposit to', payload.address],
        ['  in a wallet', uri ?? 'no link: name the token as CODE:ISSUER with --from-token'],
      ]),
      ...(uri !== undefined && withCode ? codeLines(uri, terminal) : []),
    )
  }
  return lines
}

const linkOf = async (payload: Deposit, network: StellarAssets | undefined): Promise<string | undefined> => {
  if (network === undefined) return undefined
  const found = await findStellarAsset(network, payload.token)
  return found === undefined
    ? undefined
    : stellarPaymentUri({ payload, asset: found.asset, passphrase: network.passphrase })
}

const codeLines = (
  uri: string,
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): readonly string[] => {
  const lines = qrLines(uri)
  const width = lines[0]?.length ?? 0
  if (columns !== undefined && columns < width)
    return [paint('dim', `  (the terminal has ${columns} columns, the QR code needs ${width})`)]
  return ['', ...lines.map((line) => paint('code', line))]
}
