/** A fee of nothing, in ETH, as the service answers it. */
export const FEE = {
  amount: '0',
  token: { chain: 'eip155:1', symbol: 'ETH', type: 'native' },
  paymentMethod: 'tx_value',
  quoteTreatment: 'outside_quote',
}

/** The only action of `QUOTE`. */
export const ACTION = {
  id: 'transfer',
  label: 'Transfer',
  type: 'transaction',
  chain: 'eip155:1',
  payload: { type: 'evm_transaction', from: '0x1', to: '0x2', data: '0x', value: '0' },
}

/** A valid quote as the service answers it. */
export const QUOTE = {
  quoteId: 'quote_1',
  selectionReason: 'highest_output',
  backend: { type: 'its', name: 'ITS', tracking: {}, metadata: {} },
  estimatedTimeSeconds: 1,
  validity: { type: 'expires_at', quoteExpiresAt: '2026-01-01T00:01:00Z' },
  input: { chain: 'eip155:1', token: '0xa', amount: '1' },
  output: { chain: 'eip155:2', token: '0xb', amount: '1', minimumAmount: '1' },
  fees: { gas: FEE, user: FEE, integrator: null },
  actions: [ACTION],
}
