/** Something that can stand in one list. Only the list sets these. */
export class ListMember {
  before: this | undefined;
  after: this | undefined;
  isListed = false;
}

/**
 * Things that come and go with every request, oldest first. Of what is taken out it keeps nothing, and it leaves nothing behind that
 * leads there: see LiveMap for what a `Set` does.
 */
export class LiveList<Member extends ListMember> {
  #first: Member | undefined;
  #last: Member | undefined;

  get oldest(): Member | undefined {
    return this.#first;
  }

  add(member: Member): void {
    if (member.isListed) return;
    member.isListed = true;
    member.before = this.#last;
    if (this.#last) this.#last.after = member;
    else this.#first = member;
    this.#last = member;
  }

  delete(member: Member): void {
    if (!member.isListed) return;
    const { before, after } = member;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    member.before = undefined;
    member.after = undefined;
    member.isListed = false;
  }
}
