import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { installTools } from './cruise.ts'

/** Checks openapi.json by Redocly's rules; exits with 1 when one is broken. */
const ROOT = join(import.meta.dirname, '..')
const REDOCLY = join(import.meta.dirname, 'node_modules/@redocly/cli/bin/cli.js')
const CONFIG = join(import.meta.dirname, 'redocly.yaml')
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

installTools()
const words = [REDOCLY, 'lint', '--config', CONFIG, '--format', 'stylish', join(ROOT, 'openapi.json')]
execFileSync(process.execPath, words, {
  cwd: ROOT,
  env: { ...process.env, ...QUIET },
  stdio: 'inherit',
})
