import { EVM_NATIVE_TOKEN } from '../../chains/evm/address.ts'
import type { Instant } from '../../core/instant.ts'
import type { NetworkChain } from '../../core/network.ts'
import type { PriceFeed } from '../../pricing/price-feed.ts'
import { usdPrice } from '../../pricing/usd.ts'
import { eachRead } from './each-read.ts'
import type { Axelarscan } from './gmp.ts'

type Deps = {
  readonly axelarscan: Pick<Axelarscan, 'nativeUsd'>
  readonly chains: readonly NetworkChain[]
  readonly maxAgeSeconds: number
  readonly now: () => Instant
}

/** Axelarscan's prices of the native assets of EVM chains. It does not date them: they count from when they were read. */
export const nativePriceFeed = ({ axelarscan, chains, maxAgeSeconds, now }: Deps): PriceFeed => {
  const named = chains.flatMap(({ chainId, chainType, axelar }) =>
    chainType === 'evm' && axelar !== undefined ? [{ chainId, name: axelar.name }] : [],
  )
  /** A fee needs two chains; the other one is the next. */
  const hops = named.map((chain, position) => ({
    ...chain,
    other: named[(position + 1) % named.length]?.name,
  }))
  const readEach = eachRead(async ({ chainId, name, other = name }: (typeof hops)[number]) => {
    const price = usdPrice((await axelarscan.nativeUsd(name, other)) ?? '')
    if (price === undefined) return undefined
    const at = now()
    const token = { chainId, address: EVM_NATIVE_TOKEN }
    return { token, reading: { price, at, until: at + maxAgeSeconds * 1000 } }
  })
  return {
    name: 'axelarscan',
    origin: 'axelarscan',
    read: async () => (await readEach(hops)).filter((one) => one !== undefined),
  }
}
