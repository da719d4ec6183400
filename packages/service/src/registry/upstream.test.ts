import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startLocalServer } from '../../test/local-server.ts'
import { writeUpstream } from '../../test/upstream-folder.ts'
import { upstreamFindings, WRITTEN_FOR } from './upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'rfq-upstream-'))
after(() => rmSync(folder, { recursive: true }))

test('nothing is found while the newest tags are those that this version was written for', async () => {
  writeUpstream(folder)
  assert.equal(Object.keys(WRITTEN_FOR).length, 8)
  assert.deepEqual(await upstreamFindings(folder), [])
})

test('a newer tag, a newer commit and an unreadable repository are each found', async () => {
  const commit = 'a'.repeat(40)
  writeUpstream(folder, {
    'axelar-core': ['refs/tags/v1.9.0', 'refs/tags/v1.10.0', 'refs/tags/v1.10.0^{}', 'refs/tags/v2.0.0-rc1'],
    'axelar-amplifier': ['refs/tags/voting-verifier-v9.0.0', 'refs/tags/interchain-token-service-v1.3.2'],
    'interchain-token-service': ['refs/heads/v9.0.0'],
    'axelar-contract-deployments': ['refs/heads/main'],
  })
  rmSync(join(folder, 'axelar-cgp-solidity'))
  const findings = await upstreamFindings(folder)
  assert.deepEqual(
    findings.filter(({ repository }) => repository !== 'axelar-cgp-solidity'),
    [
      { repository: 'axelar-core', writtenFor: 'v1.5.0', found: { newest: 'v1.10.0' } },
      {
        repository: 'interchain-token-service',
        writtenFor: 'v2.2.0',
        found: { fault: 'it lists no such tag' },
      },
      {
        repository: 'axelar-contract-deployments',
        writtenFor: WRITTEN_FOR['axelar-contract-deployments'],
        found: { newest: commit },
      },
    ],
  )
  const unread = findings.find(({ repository }) => repository === 'axelar-cgp-solidity')?.found
  assert.match(unread !== undefined && 'fault' in unread ? unread.fault : '', /ENOENT/)
})

test('the tags are read as a git server lists them', async () => {
  const commit = 'b'.repeat(40)
  const asked: string[] = []
  const served = await startLocalServer(({ url }, response) => {
    asked.push(url)
    const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`
    const lines = [
      line('# service=git-upload-pack\n'),
      '0000',
      line(`${commit} HEAD\0multi_ack agent=git/2 symref=HEAD:refs/heads/main\n`),
      line(`${commit} refs/heads/main\n`),
      line(`${commit} refs/tags/v6.2.0\n`),
      line(`${commit} refs/tags/v7.0.0\n`),
      line(`${commit} refs/tags/v7.0.0^{}\n`),
      '0000',
    ]
    response.end(lines.join(''))
  })
  after(served.stop)
  const findings = await upstreamFindings(served.url)
  assert.ok(asked.includes('/axelar-core.git/info/refs?service=git-upload-pack'))
  assert.deepEqual(findings.find(({ repository }) => repository === 'axelar-gmp-sdk-solidity')?.found, {
    newest: 'v7.0.0',
  })
  assert.deepEqual(findings.find(({ repository }) => repository === 'axelar-contract-deployments')?.found, {
    newest: commit,
  })
})
