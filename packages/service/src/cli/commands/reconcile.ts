import type { DeniedPayment } from '../../app/reconcile.ts'
import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { table } from '../table.ts'

const lineOf = ({ chainId, txHash, position, role, token, amount, isVoid }: DeniedPayment): string =>
  `${isVoid ? 'voided' : 'no endpoint has'} the ${role} of ${amount} ${token}: payment ${position} of ${txHash} on ${chainId}`

/** Compares the vaults' books with their chains; the outcome is the exit code. */
export const reconcileCommand: Command = {
  name: 'reconcile',
  summary: 'compare what the vaults received, paid and hold, by the store and by the chains',
  flags: [{ name: 'void', help: 'void the stored payments that no endpoint has' }],
  example: 'reconcile --json',
  run: async ({ flags, json, terminal, environment }) => {
    const { reconcile } = await import('../../app/reconcile.ts')
    const wanted = flags.has('void') ? 'void' : 'named'
    const note = (level: string, event: string): void => terminal.note(`${level} ${event}`)
    const { vaults, denied } = await reconcile(environment, note, wanted)
    if (json) terminal.printJson({ vaults, denied })
    else {
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
      terminal.print(...denied.map(lineOf))
    }
    const isSound = vaults.every(({ isCovered }) => isCovered) && denied.every(({ isVoid }) => isVoid)
    return isSound ? EXIT.done : EXIT.failed
  },
}
