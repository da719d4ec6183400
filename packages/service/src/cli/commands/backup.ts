import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'

/** Copies the embedded store while the service runs. */
export const backupCommand: Command = {
  name: 'backup',
  summary: 'copy the embedded store (DATA_DIR) into a folder, also while the service runs',
  flags: [
    { name: 'to', value: 'folder', help: 'the folder of the copy, which is a DATA_DIR; created if missing' },
  ],
  example: 'backup --to backups/monday',
  run: async ({ flags, json, terminal, environment }) => {
    const { backUp } = await import('../../app/back-up.ts')
    const { file, bytes } = backUp(environment, flags.required('to'))
    if (json) terminal.printJson({ file, bytes })
    else terminal.print(`${file}  ${bytes} bytes`)
    return EXIT.done
  },
}
