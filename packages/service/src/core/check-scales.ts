import { valueScaleOf } from '@openrfq/sdk'
import type { z } from 'zod'
import type { Chain } from './chain.ts'

type Scaled = Pick<Chain, 'chainId' | 'chainType' | 'nativeToken'> & {
  readonly gasScale?: number | undefined
  readonly tokenStandard?: string | undefined
  readonly axelar?: object | undefined
}

/**
 * Refuses scales that no chain has, and for a chain that the SDK's guards know one that they would refuse; a chain with two, or with
 * tokens of another standard, leaves gas limits to wallets.
 */
export const checkScales = (chain: Scaled, context: z.RefinementCtx): void => {
  const { chainId, nativeToken, gasScale, tokenStandard, axelar } = chain
  const issue = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message })
  const { decimals, valueDecimals = decimals } = nativeToken
  if (valueDecimals < decimals || (valueDecimals !== decimals && chain.chainType !== 'evm'))
    issue(['nativeToken', 'valueDecimals'], 'expected at least decimals, on EVM chains only')
  const known = valueScaleOf(chainId)
  if (axelar !== undefined && known !== 1n && known !== 10n ** BigInt(Math.max(valueDecimals - decimals, 0)))
    issue(['nativeToken', 'valueDecimals'], `expected transactions to count ${known} units for a base unit`)
  const isOther = valueDecimals !== decimals || tokenStandard !== undefined
  if (isOther && axelar !== undefined && gasScale === undefined)
    issue(['gasScale'], 'expected one on a chain whose tokens or native asset are not as on Ethereum')
}
