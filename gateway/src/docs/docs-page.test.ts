import { ADMIN_SECURITY } from '@casewatch/contracts/openapi';
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '@casewatch/contracts/openapi-document';
import { expect, test } from 'vitest';
import { renderDocs } from './docs-page.ts';

const text = { type: 'string' } as const;
const operation = (operationId: string, more: Partial<OpenApiOperation> = {}): OpenApiOperation => ({
  operationId,
  tags: ['cases'],
  summary: 'Does it',
  security: [],
  responses: { 204: { description: 'done' } },
  ...more,
});

const page = (paths: OpenApiDocument['paths']) =>
  renderDocs(
    {
      openapi: '3.1.1',
      info: {
        title: 'Cases & <more>',
        version: '1',
        description: `It's "all"`,
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
        contact: { name: 'We', url: '/' },
      },
      servers: [],
      tags: [
        { name: 'cases', description: 'Cases' },
        { name: 'surveys', description: 'Surveys' },
      ],
      paths,
      components: { schemas: { Tag: { properties: { name: text } } }, headers: {}, securitySchemes: {} },
    },
    '/docs.css',
  );
const between = (all: string, start: string, end: string) => all.split(start)[1]?.split(end)[0];

test('texts are escaped, and the style sheet is linked', () => {
  const all = page({});
  expect(all).toContain('<title>Cases &amp; &lt;more&gt;</title>');
  expect(all).toContain('<h1>Cases &amp; &lt;more&gt;</h1>\n<p>It&#39;s &quot;all&quot;</p>');
  expect(all).toContain('<link rel="stylesheet" href="/docs.css">');
  expect(all).toContain(
    '<article id="schema-Tag"><h3>Tag</h3><dl><dt><code>name</code> text (optional)</dt>',
  );
});

test('a route is listed under its own tags, and long paths may wrap', () => {
  const all = page({
    '/api/a/{id}': { get: operation('getA') },
    '/api/b': { post: operation('makeB', { tags: ['surveys'] }) },
  });
  const [, cases, surveys] = all.split('</nav>')[0]?.split('<h2>') ?? [];
  expect(cases?.trim()).toBe(
    'Cases</h2>\n<ul><li><a href="#getA"><span class="method get">GET</span> <code>/<wbr>api/<wbr>a/<wbr>{id}</code></a></li></ul>',
  );
  expect(surveys).toContain('<a href="#makeB"><span class="method post">POST</span>');
  expect(surveys).not.toContain('getA');
});

test('a route says what it takes, who may call it and what it answers', () => {
  const json = (schema: JsonSchema) => ({ 'application/json': { schema } });
  const all = page({
    '/api/a': {
      put: operation('putA', {
        description: 'Twice is once.',
        security: [{ [ADMIN_SECURITY]: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, description: 'Its number.', schema: { type: 'integer' } },
          { name: 'part', in: 'query', required: false, schema: text },
        ],
        requestBody: { required: true, content: json({ properties: { a: text }, required: ['a'] }) },
        responses: {
          200: { description: 'done', content: json({ $ref: '#/components/schemas/Tag' }) },
          201: { description: 'made', content: json({ type: 'array', items: text }) },
          202: { description: 'begun', content: json({ properties: { b: text }, required: ['b'] }) },
          303: { description: 'elsewhere' },
          400: { description: 'VALIDATION, BAD_REQUEST', content: json(text) },
        },
      }),
      get: operation('getA', { security: [{ session: [] }] }),
    },
  });
  expect(between(all, '<section id="putA">', '</section>')?.split('\n').filter(Boolean)).toEqual([
    '<h2><span class="method put">PUT</span> <code>/<wbr>api/<wbr>a</code></h2>',
    '<p><strong>Does it.</strong> Twice is once. Needs an open admin session.</p>',
    '<h3>Parameters</h3><dl><dt><code>id</code> integer</dt><dd>Its number.</dd>' +
      '<dt><code>part</code> text (optional)</dt><dd></dd></dl>',
    '<h3>Body</h3><dl><dt><code>a</code> text</dt><dd></dd></dl>',
    '<h3>Answers</h3>',
    '<dl class="answers"><dt><code>200</code></dt><dd><a href="#schema-Tag">Tag</a></dd>' +
      '<dt><code>201</code></dt><dd>list of text</dd>' +
      '<dt><code>202</code></dt><dd><dl><dt><code>b</code> text</dt><dd></dd></dl></dd>' +
      '<dt><code>303</code></dt><dd>Nothing</dd>' +
      '<dt><code>400</code></dt><dd><span class="codes"><code>VALIDATION</code> <code>BAD_REQUEST</code> </span></dd></dl>',
  ]);
  const bare = between(all, '<section id="getA">', '</section>') ?? '';
  expect(bare).toContain('Needs a signed-in user.');
  expect(bare).not.toMatch(/Parameters|Body/);
});
