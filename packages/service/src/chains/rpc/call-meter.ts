/** What was sent to one endpoint since the start. */
export type CallCount = {
  readonly requests: number
  readonly calls: number
  /** Compute units, as metered providers charge for the calls. */
  readonly costUnits: number
}

/** Counts what is sent to one endpoint. */
export type CallMeter = {
  readonly sent: (calls: readonly { readonly method: string }[]) => void
  readonly count: () => CallCount
}

/** Compute units of methods; others cost 20. Source: Alchemy, compute unit costs. */
const COST_UNITS: ReadonlyMap<string, number> = new Map([
  ['eth_chainId', 0],
  ['eth_blockNumber', 10],
  ['eth_feeHistory', 10],
  ['eth_call', 26],
  ['eth_sendRawTransaction', 40],
  ['eth_getLogs', 60],
])
const ORDINARY_COST = 20

/** Creates a meter at zero. */
export const createCallMeter = (): CallMeter => {
  let [requests, calls, costUnits] = [0, 0, 0]
  return {
    sent: (sent) => {
      requests += 1
      calls += sent.length
      for (const { method } of sent) costUnits += COST_UNITS.get(method) ?? ORDINARY_COST
    },
    count: () => ({ requests, calls, costUnits }),
  }
}
