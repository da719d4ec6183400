import type { Command } from '../command.ts'
import { EXIT } from '../exit-code.ts'

const TONES = { ok: 'green', warning: 'yellow', error: 'red' } as const
const WORDS = { ok: 'ok     ', warning: 'warning', error: 'error  ' } as const

/** Compares the configured network with its chains. */
export const checkCommand: Command = {
  name: 'check',
  summary: 'compare the network file (RFQ_CONFIG, RFQ_OVERLAY) with its chains, contracts and tokens',
  flags: [
    { name: 'offline', help: 'only what needs no network: the files themselves' },
    { name: 'quiet', help: 'only warnings and errors' },
  ],
  example: 'check --offline',
  run: async ({ flags, json, terminal, environment, now, steady }) => {
    const { check } = await import('../../app/check/check.ts')
    const findings = await check(environment, { isOffline: flags.has('offline'), clock: { now, steady } })
    const errors = findings.filter(({ level }) => level === 'error').length
    const warnings = findings.filter(({ level }) => level === 'warning').length
    if (json) terminal.printJson({ errors, warnings, findings })
    else {
      for (const { level, subject, says } of findings)
        if (level !== 'ok' || !flags.has('quiet'))
          terminal.print(`${terminal.paint(TONES[level], WORDS[level])} ${subject}: ${says}`)
      terminal.print(`${errors} errors, ${warnings} warnings`)
    }
    return errors === 0 ? EXIT.done : EXIT.failed
  },
}
