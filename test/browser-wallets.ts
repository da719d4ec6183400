import {
  createKeyPairFromBytes,
  getBase58Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  partiallySignTransaction,
} from '@solana/kit'
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'

/** Nodes by the numbers of their chains, in hexadecimal. */
type Nodes = Readonly<Record<string, string>>

/**
 * A wallet that announces itself by EIP-6963 and passes requests on to a node that signs. It is on the chain of the first address,
 * and switches to those of `others`.
 */
export const evmWalletScript = (rpcUrl: string, address: string, others: Nodes = {}): string => `
  const others = ${JSON.stringify(others)}
  let node = ${JSON.stringify(rpcUrl)}
  let id = 0
  let sent = 0
  const ask = async (method, params = []) => {
    const answer = await fetch(node, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
    })
    const { result, error } = await answer.json()
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  }
  const handlers = {}
  const request = async ({ method, params = [] }) => {
    window.walletAsked?.(method, params)
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [${JSON.stringify(address)}]
    if (method === 'eth_sendTransaction') window.beforeSending?.(++sent)
    if (handlers[method] !== undefined) return handlers[method](...params)
    if (method !== 'wallet_switchEthereumChain') return ask(method, params)
    node = others[params[0].chainId] ?? node
    return null
  }
  const detail = Object.freeze({
    info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Test Wallet', icon: 'data:,', rdns: 'dev.test' },
    provider: { request, on: () => {}, removeListener: () => {} },
  })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
`

/**
 * The code of a smart wallet: executes calls of `<to><value><length><data>`, the first three of 32 bytes, in order, and
 * reverts when one does; takes the chain's own token.
 */
export const BATCH_CODE =
  '0x5f5b368110600957005b806040013580826060015f375f5f825f856020013586355af115602f5701606001600156005b5f5ffd'

/** How a wallet answers a batch: executes it, has its owner refuse, says that it cannot, or spoils its last call. */
export type BatchAnswer = 'executes' | 'refused' | 'unable' | 'reverts'

/**
 * A smart wallet with `BATCH_CODE` at the address that announces itself by EIP-6963, batches by EIP-5792, and signs by its
 * owner's account. A batch is one transaction.
 */
export const batchingWalletScript = (
  rpcUrl: string,
  address: string,
  owner: string,
  answer: BatchAnswer,
): string => `${evmWalletScript(rpcUrl, address)}
  const ANSWER = ${JSON.stringify(answer)}
  const REFUSALS = { refused: [4001, 'The person rejected the request.'], unable: [5750, 'The account stays as it is.'] }
  const word = (value) => BigInt(value).toString(16).padStart(64, '0')
  const packed = ({ to, value, data = '0x' }) => word(to) + word(value ?? 0) + word(data.length / 2 - 1) + data.slice(2)
  const spoiled = ({ data, ...call }) => ({ ...call, data: data.slice(0, 10) })
  const send = (calls) =>
    ask('eth_sendTransaction', [{
      from: ${JSON.stringify(owner)}, to: ${JSON.stringify(address)}, gas: '0x1e8480',
      data: '0x' + calls.map(packed).join(''),
    }])
  handlers.wallet_getCapabilities = async (_account, [chainId]) => ({ [chainId]: { atomic: { status: 'supported' } } })
  handlers.wallet_sendCalls = async ({ calls }) => {
    const [code, text] = REFUSALS[ANSWER] ?? []
    if (code !== undefined) throw Object.assign(new Error(text), { code })
    const last = calls.at(-1)
    return { id: await send(ANSWER === 'reverts' ? [...calls.slice(0, -1), spoiled(last)] : calls) }
  }
  handlers.wallet_getCallsStatus = async (id) => {
    const receipt = await ask('eth_getTransactionReceipt', [id])
    if (receipt === null) return { status: 100, receipts: [] }
    return { status: receipt.status === '0x1' ? 200 : 500, receipts: [receipt] }
  }
  handlers.eth_sendTransaction = async (call) => send([call])
`

/** A wallet that registers itself by the Wallet Standard, connects the address, and signs by the page's `signSolana`. */
export const solanaWalletScript = (address: string): string => `
  const account = {
    address: ${JSON.stringify(address)}, publicKey: new Uint8Array(32),
    chains: ['solana:mainnet', 'solana:localnet'], features: ['solana:signTransaction'],
  }
  const wallet = {
    version: '1.0.0', name: 'Test Solana Wallet', icon: 'data:image/svg+xml;base64,',
    chains: ['solana:mainnet', 'solana:localnet'], accounts: [],
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'standard:events': { version: '1.0.0', on: () => () => {} },
      'solana:signTransaction': {
        version: '1.0.0', supportedTransactionVersions: ['legacy', 0],
        signTransaction: (...inputs) => Promise.all(inputs.map(async ({ transaction, chain }) => ({
          signedTransaction: Uint8Array.from(await window.signSolana([...transaction], chain)),
        }))),
      },
    },
  }
  const callback = ({ register }) => register(wallet)
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
  addEventListener('wallet-standard:app-ready', ({ detail }) => callback(detail))
`

/** Answers messages as Freighter's content script does, for the account, and signs by the page's `signStellar`. */
export const freighterScript = (address: string): string => `
  const answers = {
    REQUEST_CONNECTION_STATUS: async () => ({ isConnected: true }),
    REQUEST_ACCESS: async () => ({ publicKey: ${JSON.stringify(address)} }),
    SUBMIT_TRANSACTION: async ({ transactionXdr, networkPassphrase, accountToSign }) => {
      const signedTransaction = await window.signStellar(transactionXdr, networkPassphrase, accountToSign)
      return signedTransaction === null
        ? { apiError: { code: -4, message: 'The user rejected this request.' } }
        : { signedTransaction, signerAddress: accountToSign }
    },
  }
  addEventListener('message', async ({ source, data }) => {
    if (source !== window || data?.source !== 'FREIGHTER_EXTERNAL_MSG_REQUEST') return
    const answer = await answers[data.type](data)
    window.postMessage(
      { source: 'FREIGHTER_EXTERNAL_MSG_RESPONSE', messagedId: data.messageId, ...answer },
      location.origin,
    )
  })
`

/** Signs a transaction of Solana by a key, base58 of 64 bytes. */
export const signSolanaBytes = async (
  privateKey: string,
  bytes: readonly number[],
): Promise<readonly number[]> => {
  const keys = await createKeyPairFromBytes(getBase58Encoder().encode(privateKey))
  const transaction = getTransactionDecoder().decode(Uint8Array.from(bytes))
  return [...getTransactionEncoder().encode(await partiallySignTransaction([keys], transaction))]
}

/** Signs a transaction of Stellar by a secret. */
export const signStellarXdr = (secret: string, xdr: string, networkPassphrase: string): string => {
  const transaction = TransactionBuilder.fromXDR(xdr, networkPassphrase)
  transaction.sign(Keypair.fromSecret(secret))
  return transaction.toXDR()
}
