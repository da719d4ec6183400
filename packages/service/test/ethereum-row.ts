/** Tests only: the row of an EVM chain in a network file; its endpoint refuses every connection. */
export const ETHEREUM_ROW = {
  chainId: 'eip155:1',
  chainLabel: 'Ethereum',
  chainType: 'evm',
  nativeToken: { symbol: 'ETH', decimals: 18 },
  rpcUrls: ['http://127.0.0.1:1'],
  finality: 'finalized',
}
