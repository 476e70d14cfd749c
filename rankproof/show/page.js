// The buttons of a certificate's page: the verifier runs on the very characters that the page shows.
(() => {
  "use strict";
  const source = document.getElementById("certificate");
  const answer = document.getElementById("answer");
  const stated = document.body.dataset.sha256;

  const element = (tag, text, className) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };

  function opinion(text) {
    const begun = performance.now();
    try {
      const verdict = rankproofVerify(new TextEncoder().encode(text));
      return { ...verdict, milliseconds: performance.now() - begun };
    } catch (error) {
      const message = `${error.name}: ${error.message}; this is a bug in the verifier and proves nothing`;
      return { verdict: "ERROR", code: "internal", pointer: "", message, theorems: [], claim: "", sha256: "" };
    }
  }

  function show(verdict, changed) {
    const lines = [element("strong", verdict.verdict)];
    if (verdict.code) lines.push(element("span", ` ${verdict.code} at ${verdict.pointer || "/"}: ${verdict.message}`));
    if (verdict.verdict === "CONDITIONAL") lines.push(element("span", ` on ${verdict.theorems.join(", ")}`));
    if (verdict.verdict === "VERIFIED") {
      lines.push(element("span", ` in this browser, in ${Math.max(1, Math.round(verdict.milliseconds))} ms.`));
    }
    const notes = element("ul", "");
    if (changed) notes.append(element("li", changed));
    if (verdict.claim) notes.append(element("li", `claim ${verdict.claim}`));
    if (verdict.sha256) {
      const same = verdict.sha256 === stated ? "the sha256 stated above" : "not the sha256 stated above";
      notes.append(element("li", `sha256 ${verdict.sha256} (${same})`));
    }
    // UNDECIDED and CONDITIONAL are no refusals: the verifier does not say that anything is wrong.
    const kinds = { VERIFIED: "verified", UNDECIDED: "undecided", CONDITIONAL: "undecided" };
    answer.className = kinds[verdict.verdict] ?? "refused";
    answer.replaceChildren(...lines, notes);
  }

  function run(text, changed) {
    answer.className = "";
    answer.replaceChildren(element("span", "Checking …"));
    // After the next frame, so that the words above are seen before a long proof is checked.
    setTimeout(() => show(opinion(text), changed), 30);
  }

  // The conclusion is what the reader is told: one more in its first lower bound is a claim that no step proves.
  function spoiled(text) {
    const from = text.lastIndexOf('"conclusion"');
    let changed = "";
    const after = text.slice(from).replace(/("lower":\s*)(\d+)/, (whole, head, value) => {
      changed = `For this check the first lower bound of the conclusion was raised from ${value} to ${Number(value) + 1}.`;
      return `${head}${Number(value) + 1}`;
    });
    if (changed) return [text.slice(0, from) + after, changed];
    return [`${text}0`, "For this check the character 0 was added at the end."];
  }

  function save() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([source.textContent], { type: "application/json" }));
    link.download = document.body.dataset.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  const check = () => run(source.textContent, "");
  const spoil = () => run(...spoiled(source.textContent));
  document.getElementById("verify-button").addEventListener("click", check);
  document.getElementById("spoil-button").addEventListener("click", spoil);
  document.getElementById("save-button").addEventListener("click", save);
  document.getElementById("controls").hidden = false;
  if (location.hash === "#verify") check();
  if (location.hash === "#spoil") spoil();
})();
