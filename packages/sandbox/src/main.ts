import { serveSandbox } from './serve-sandbox.ts'

// Tools for Solana expect a local node there, and its PubSub on the next port.
serveSandbox({ solanaPort: 8_899 })
