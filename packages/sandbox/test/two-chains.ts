import { type PrivateAnvil, startAnvil } from 'openrfq/test/private-anvil.ts'

/** Two running chains with the contracts of a test, and the function that stops both. */
export type TwoChains<Side> = { readonly a: Side; readonly b: Side; readonly stop: () => Promise<void> }

/** Two chains without gas price, which send from any account, with what `open` deploys on them. The caller stops them. */
export const startTwoChains = async <Side>(
  open: (anvils: readonly [PrivateAnvil, PrivateAnvil]) => Promise<readonly [Side, Side]>,
): Promise<TwoChains<Side>> => {
  const options = ['--gas-price', '0', '--block-base-fee-per-gas', '0', '--auto-impersonate']
  const anvils = await Promise.all([startAnvil(31_337, ...options), startAnvil(31_338, ...options)])
  const stop = async (): Promise<void> => {
    await Promise.all(anvils.map((anvil) => anvil.stop()))
  }
  try {
    const [a, b] = await open(anvils)
    return { a, b, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
