import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { table } from '../table.ts'

/** Compares the vaults' books with their chains; the outcome is the exit code. */
export const reconcileCommand: Command = {
  name: 'reconcile',
  summary: 'compare what the vaults received, paid and hold, by the store and by the chains',
  flags: [],
  example: 'reconcile --json',
  run: async ({ json, terminal, environment }) => {
    const { reconcile } = await import('../../app/reconcile.ts')
    const vaults = await reconcile(environment, (level, event) => terminal.note(`${level} ${event}`))
    if (json) terminal.printJson({ vaults })
    else
      terminal.print(
        ...table(
          [
            { title: 'chain' },
            { title: 'token' },
            { title: 'received', align: 'right' },
            { title: 'paid', align: 'right' },
            { title: 'owed', align: 'right' },
            { title: 'balance', align: 'right' },
            { title: 'unknown', align: 'right' },
            { title: '' },
          ],
          vaults.map(({ chainId, token, received, paid, balance, unknown, isCovered }) => [
            chainId,
            token,
            String(received),
            String(paid),
            String(received - paid),
            String(balance),
            String(unknown),
            isCovered ? 'covered' : terminal.paint('red', 'SHORT'),
          ]),
        ),
      )
    return vaults.every(({ isCovered }) => isCovered) ? EXIT.done : EXIT.failed
  },
}
