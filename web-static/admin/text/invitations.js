export default `
admin.invite
New invitation
새 초대
Nová pozvánka

.invited.guest
Guest link
손님 링크
Odkaz pro hosta

.invited.account
Account
계정
Účet

.invited.owner
First administrator
첫 관리자
První správce

.invited.reset
New password
새 비밀번호
Nové heslo

.by
by {name}
{name} 님이 만듦
vytvořil {name}

.byOperator
made on the server
서버에서 만듦
vytvořeno na serveru
`;
