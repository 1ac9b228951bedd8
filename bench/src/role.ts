// One role of the distributed shape, as a process of its own; says so when it listens.
const probe = `http://127.0.0.1:${process.env.PORT}/livez`;
void import('@casewatch/host/main');
for (;;) {
  const alive = await fetch(probe).then(
    (response) => response.ok,
    () => false,
  );
  if (alive) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
console.log('started');
