import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'

/** Shows and changes the keys of the operator's vault. */
export const vaultSignersCommand: Command = {
  name: 'vault-signers',
  summary:
    'give the vault on Stellar the three keys of the network file (RFQ_CONFIG) and let it ask for memos, or replace a lost key',
  flags: [
    { name: 'chain', value: 'id', help: 'the chain of the vault; by default the only one' },
    {
      name: 'channel',
      value: 'account',
      help: "one of the vault's channel accounts, which then has the service's key",
    },
    { name: 'transaction', value: 'xdr', help: 'sign or send this transaction instead of a new one' },
    { name: 'send', help: 'send it and wait until it is in a ledger' },
  ],
  example: 'vault-signers --send',
  run: async ({ flags, json, terminal, environment, now, steady }) => {
    const { vaultSigners } = await import('../../app/vault-signers.ts')
    const { chainId, vault, differences, plan, txHash } = await vaultSigners(environment, {
      chainId: flags.text('chain'),
      channel: flags.text('channel'),
      transaction: flags.text('transaction'),
      secrets: (environment['RFQ_SIGNER_SECRETS'] ?? '').split(',').filter((secret) => secret !== ''),
      isSent: flags.has('send'),
      clock: { now, steady },
      log: (level, event) => terminal.note(`${level} ${event}`),
    })
    if (json) terminal.printJson({ chainId, vault, differences, plan, txHash })
    else {
      terminal.print(
        `${flags.text('channel') === undefined ? 'vault' : 'channel'} ${vault} on ${chainId}`,
        ...differences.map((one) => `  ${one}`),
      )
      if (plan === undefined) terminal.print('its keys are those of the network file, and it asks for memos')
      else {
        terminal.print(`the transaction has ${plan.signatures} signatures; by it`)
        terminal.print(...plan.changes.map((change) => `  ${change}`), plan.transaction)
      }
      if (txHash !== undefined) terminal.print(`done in transaction ${txHash}`)
    }
    return differences.length === 0 ? EXIT.done : EXIT.failed
  },
}
