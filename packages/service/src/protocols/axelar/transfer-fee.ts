import { mulDivDown } from '../../core/amount.ts'

const RATE_SCALE = 10n ** 18n

/** A chain's fee terms for a gateway transfer of an asset: base units, and a rate scaled by 10^18. */
export type FeeInfo = { readonly rate: bigint; readonly minFee: bigint; readonly maxFee: bigint }

/** The combined terms of both chains. */
export const sumFeeInfo = (source: FeeInfo, destination: FeeInfo): FeeInfo => ({
  rate: source.rate + destination.rate,
  minFee: source.minFee + destination.minFee,
  maxFee: source.maxFee + destination.maxFee,
})

/**
 * The fee deducted from `amount` base units: the rate, rounded down as Axelar does, at least the minimum, at most the
 * maximum. Source: axelar-core, nexus `ComputeTransferFee`.
 */
export const transferFee = ({ rate, minFee, maxFee }: FeeInfo, amount: bigint): bigint => {
  const proportional = mulDivDown(amount, rate, RATE_SCALE)
  const atLeast = proportional > minFee ? proportional : minFee
  return atLeast < maxFee ? atLeast : maxFee
}

/** The smallest amount that delivers at least `received` base units. */
export const amountFor = (info: FeeInfo, received: bigint): bigint => {
  if (info.rate === 0n) return received + transferFee(info, 0n)
  let low = received
  let high = received + info.maxFee
  while (low < high) {
    const middle = (low + high) / 2n
    if (middle - transferFee(info, middle) >= received) high = middle
    else low = middle + 1n
  }
  return low
}
